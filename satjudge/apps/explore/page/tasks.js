// Search, prove, lines and guarantee: forms, tasks at work with a stop button, and what they found, which the page can open.
import {make} from './dom.js';
import {addNode, change, derived, node, state, subscribe} from './store.js';

const MISSING = 'Search, prove, lines and guarantee need a solver that does not run in a browser. Install satjudge and run ' +
  '“satjudge explore” to use them.';

// ---- forms ----

let fields = 0;

// A field with its label, and a hint below it; `read` says what it puts into the task, undefined for nothing.
const field = (label, control, {hint, read = () => control.value.trim() || undefined} = {}) => {
  control.id = `task-${++fields}`;
  const note = hint && make('small', {id: `${control.id}-hint`}, hint);
  if (note) control.setAttribute('aria-describedby', note.id);
  const box = control.type === 'checkbox';
  const name = make('label', {for: control.id}, label);
  return {control, read, element: make('div', {class: box ? 'field tick' : 'field'}, ...(box ? [control, name] : [name, control]), note)};
};

const text = (label, {list, placeholder, required, hint, value} = {}) => field(
  label, make('input', {type: 'text', list, placeholder, required, value, maxlength: 1000, autocomplete: 'off', spellcheck: 'false'}), {hint});

const number = (label, {min, max, value, placeholder, hint} = {}) => {
  const control = make('input', {type: 'number', min, max, value, placeholder, inputmode: 'numeric'});
  return field(label, control, {hint, read: () => control.value === '' ? undefined : Number(control.value)});
};

const choice = (label, options) => field(
  label, make('select', {}, ...options.map(([value, name]) => make('option', {value}, name))));

const tick = (label, checked = false) => {
  const control = make('input', {type: 'checkbox', checked});
  return field(label, control, {read: () => control.checked});
};

const patience = () => number('Time limit in seconds', {min: 1, max: 3600, value: 60});

const searching = () => ({
  goal: text('Goal', {
    list: 'task-goals', required: true, placeholder: 'paradox',
    hint: 'Combine goals with and, or, not and parentheses: dislodged:PAR and not occupied:BUR=FRANCE',
  }),
  start: choice('Start from', [
    ['empty', 'an empty board'], ['units', 'the current units'], ['orders', 'the current units and orders'],
  ]),
  free_units: tick('Allow more units', true),
  region: text('Region', {placeholder: 'BRE ENG LON WAL PIC NTH BEL', hint: 'Without a region, a search takes many minutes.'}),
  max_units: number('Maximum number of units', {min: 1, max: 200, placeholder: '8'}),
  minimise: choice('Minimize the number of', [['', 'units, if more are allowed'], ['units', 'units'], ['orders', 'orders'], ['fleets', 'fleets']]),
  count: number('Number of different answers', {min: 1, max: 100, value: 1}),
  seconds: patience(),
});

const missing = () => {
  const without = text('Enemy units to rule out', {placeholder: 'F VEN, BLA'});
  return {...without, read: () => without.control.value.trim() ? [without.control.value.trim()] : []};
};

const proving = () => ({
  line: choice('Line', [['', 'the current units']]),
  whose: choice('Whose units', [['', 'all']]),
  behind: text('Also protect', {placeholder: 'everything behind the line'}),
  without: missing(),
  enemies: number('Maximum number of enemy units', {min: 0, max: 200}),
  cheapest: tick('If it breaks, find the smallest attack'),
  repair: tick('If it breaks, find the fewest units that repair it'),
  redundant: tick('If it holds, find units that it does not need'),
  seconds: patience(),
});

const finding = () => ({
  goal: text('Protect', {
    required: true, placeholder: 'centers=3',
    hint: 'centers=17, centers>=17, protect:NAP,ROM, outside:LON or not-all:ANK,CON, joined by and',
  }),
  region: text('Region', {placeholder: 'everywhere'}),
  without: missing(),
  out: text('Powers without enemy units', {placeholder: 'TURKEY, ITALY', hint: 'The power of the line first, then eliminated powers.'}),
  feeds: tick('No more units than protected centres'),
  no_pockets: tick('No enemy units behind the line'),
  count: number('Maximum number of lines', {min: 1, max: 100, value: 1}),
  seconds: patience(),
});

const guaranteeing = () => ({
  goal: text('Wish', {
    list: 'task-wishes', required: true, placeholder: 'take SER and keep TRI',
    hint: 'What you want to achieve with these moves, whatever the other powers order.',
  }),
  power: choice('For', []),
  seconds: patience(),
});

const KINDS = [
  ['search', 'Search', 'Find a position with a property, or prove that none exists.', searching],
  ['prove', 'Prove a line', 'Prove that no enemy can pass units that hold and support each other, or find an attack that breaks them.', proving],
  ['lines', 'Find lines', 'Find the fewest units that protect a number of centres against all enemies without moving.', finding],
  ['guarantee', 'Guarantee', 'Find orders that achieve a goal whatever the other powers order, or prove that none exist.', guaranteeing],
];

// What is said of the position at hand; the rest is what is asked, in the words of the command.
const AT_HAND = ['seconds', 'start', 'line', 'whose'];

// What a form asks, of the position at hand by the rulebook at hand.
const taskOf = (name, form) => {
  const {position, sheet} = node();
  const said = Object.entries(form).map(([key, one]) => [key, one.read()]).filter(([, value]) => value !== undefined);
  const [atHand, asks] = [true, false].map(wanted => Object.fromEntries(said.filter(([key]) => AT_HAND.includes(key) === wanted)));
  return {task: name, position, sheet, rules: state.rules, ...atHand, asks};
};

// ---- tasks at work, and what they found ----

const said = ({message, suggestion}) => suggestion ? `${message} (${suggestion})` : message;

// Opens what was found beside what is there, and judges it as it was found.
const open = (card, rules) => {
  change({rules});
  addNode(card.position, {sheet: card.sheet, parent: null});
  document.querySelector('#map').scrollIntoView({block: 'nearest'});
};

const showCard = (card, rules) => make('li', {class: 'card'},
  make('h4', {}, card.title),
  make('ul', {}, ...card.about.slice(0, 12).map(line => make('li', {}, line)),
    card.about.length > 12 && make('li', {}, `and ${card.about.length - 12} more`)),
  make('button', {onclick: () => open(card, rules), 'aria-label': `Open on the map: ${card.title}`}, 'Open on the map'));

const showFound = (found, rules) => [
  make('p', {class: 'headline'}, found.headline),
  found.notes.length > 0 && make('ul', {class: 'notes'}, ...found.notes.map(line => make('li', {}, line))),
  found.cards.length > 0 && make('ol', {class: 'cards'}, ...found.cards.map(card => showCard(card, rules))),
];

const titleOf = ({task, line, whose, asks: {goal, power = whose}}) => [task, goal, line && `line:${line}`, power && `for ${power}`].filter(Boolean).join(' ');

// Runs a task, and shows it in an article of its own until it is put away.
const begin = (tasks, task) => {
  let name = null;
  const leaving = new AbortController();
  const progress = make('p', {role: 'status'}, 'starting');
  const clock = make('span', {class: 'clock', 'aria-hidden': 'true'}, '0 s');
  const stop = make('button', {onclick: () => { stop.disabled = true; name ? tasks.stop(name) : leaving.abort(); }}, 'Stop');
  const put = make('button', {onclick: () => { leaving.abort(); article.remove(); }, 'aria-label': `Close ${titleOf(task)}`}, '✕');
  const bar = make('div', {class: 'working'}, progress, clock, stop);
  const article = make('article', {class: 'task', 'aria-label': titleOf(task)},
    make('header', {}, make('h3', {}, titleOf(task)), put), bar);
  const began = Date.now();
  const ticking = setInterval(() => { clock.textContent = `${Math.round((Date.now() - began) / 1000)} s`; }, 1000);
  const ended = (...told) => {
    clearInterval(ticking);
    bar.replaceChildren();
    bar.setAttribute('role', 'status');
    bar.append(...told.filter(Boolean));
    article.scrollIntoView({block: 'nearest'});
  };
  const fail = fault => ended(make('p', {class: 'fault'}, said(fault)));
  tasks.run(task, event => {
    if (event.started) name = event.started;
    if (event.progress) progress.textContent = event.progress;
    if (event.found) ended(...showFound(event.found, task.rules));
    if (event.fault) fail(event.fault);
  }, leaving.signal).catch(error => fail(error.fault ?? {message: leaving.signal.aborted ? 'stopped' : String(error)}));
  return article;
};

// ---- the part of the page ----

const showForm = (name, button, about, form, tasks, results) => make('form', {
  'data-task': name,
  onsubmit: event => {
    event.preventDefault();
    results.prepend(begin(tasks, taskOf(name, form)));
  },
}, make('p', {}, about), make('div', {class: 'fields'}, ...Object.values(form).map(one => one.element)), make('button', {class: 'begin primary'}, button));

const fill = (select, options) => {
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, label]) => make('option', {value}, label)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
};

const suggestions = (id, forms) => make('datalist', {id}, ...forms.map(value => make('option', {value})));

export const showTasks = ({tasks}) => {
  const place = document.querySelector('#tasks');
  if (!tasks) {
    place.append(make('p', {class: 'missing'}, MISSING));
    return;
  }
  const results = make('div', {class: 'results'});
  const forms = KINDS.map(([name, button, about, fieldsOf]) => {
    const form = fieldsOf();
    return {name, button, form, element: showForm(name, button, about, form, tasks, results)};
  });
  const chosen = name => forms.forEach(one => { one.element.hidden = one.name !== name; });
  const radios = make('fieldset', {class: 'kinds'}, make('legend', {}, 'Task'), ...forms.map(({name, button}) => make('label', {},
    make('input', {type: 'radio', name: 'task', value: name, checked: name === 'search', onchange: () => chosen(name)}), button)));
  chosen('search');
  const [prove, guarantee] = ['prove', 'guarantee'].map(kind => forms.find(one => one.name === kind));
  const offer = async () => {
    if (!folded.open || place.querySelector('datalist')) return;
    place.append(suggestions('task-goals', []));
    const offered = await tasks.offered();
    place.querySelector('datalist').replaceWith(suggestions('task-goals', offered.goals), suggestions('task-wishes', offered.wishes));
    fill(prove.form.line.control, [['', 'the current units'],
      ...Object.entries(offered.lines).map(([line, title]) => [line, `${line}: ${title}`])]);
  };
  const folded = make('details', {class: 'fold', ontoggle: offer}, make('summary', {}, 'Search, prove, lines, guarantee'),
    radios, ...forms.map(one => one.element), results);
  place.append(folded);
  subscribe(changed => {
    if (!changed.has('nodes') && !changed.has('at') && !changed.has('start')) return;
    const standing = Object.entries(node()?.position.units ?? {}).filter(([, units]) => units.length)
      .map(([power]) => [power, derived.start?.powers[power] ?? power]);
    fill(guarantee.form.power.control, standing);
    fill(prove.form.whose.control, [['', 'all'], ...standing]);
  });
};
