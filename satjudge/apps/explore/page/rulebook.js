// Above: the rulebook, each of its choices, and what is settled otherwise than it says.
import {foldAway, make} from './dom.js';
import {icon} from './icons.js';
import {change, derived, state, subscribe} from './store.js';

export const showRulebook = () => {
  const choice = make('select', {'aria-label': 'Rulebook', onchange: () => change({rules: {name: choice.value, settings: []}})});
  const changes = make('span', {class: 'told chip amber', role: 'status'});
  const search = make('input', {type: 'search', placeholder: 'search the options', 'aria-label': 'Search the options', oninput: () => filter()});
  const list = make('div', {class: 'options'});
  const own = make('span', {class: 'own'});
  const called = make('span', {class: 'word'});
  const panel = make('details', {class: 'settings'}, make('summary', {title: 'Rulebook and its options'}, icon('rules'), called, make('span', {class: 'unseen'}, 'Rulebook and options')),
    make('div', {class: 'pop'}, make('label', {class: 'field'}, 'Judged by', choice), own, search, list));
  document.querySelector('#rulebook').append(changes, panel);
  foldAway(panel);

  const preset = () => derived.start.rulebooks.find(book => book.name === state.rules.name);
  const settled = () => Object.fromEntries(state.rules.settings.map(text => text.split(/=(.*)/s).slice(0, 2)));

  const settle = (issue, value) => {
    const settings = state.rules.settings.filter(text => !text.startsWith(`${issue}=`));
    if (preset().settings[issue] !== value) settings.push(`${issue}=${value}`);
    change({rules: {...state.rules, settings}});
  };

  const option = ({issue, question, values}) => {
    const id = `option-${issue}`;
    return make('div', {class: 'option', 'data-issue': issue}, make('label', {for: id}, question, ' ', make('small', {}, issue)),
      make('select', {id, onchange: event => settle(issue, event.target.value)},
        ...Object.entries(values).map(([value, meaning]) => make('option', {value, title: value}, meaning))),
      make('button', {type: 'button', class: 'back', onclick: () => settle(issue, preset().settings[issue])}, 'as in the rulebook'));
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of list.children) one.hidden = !words.every(word => one.textContent.toLowerCase().includes(word));
  };

  const show = () => {
    if (!derived.start || !preset()) return;
    choice.value = state.rules.name;
    const more = state.rules.settings.length;
    called.textContent = `${preset().title.split(',')[0]}${more ? ` +${more}` : ''}`;
    const otherwise = settled();
    for (const one of list.children) {
      const {issue} = one.dataset;
      one.querySelector('select').value = otherwise[issue] ?? preset().settings[issue];
      one.classList.toggle('otherwise', issue in otherwise);
      one.querySelector('.back').hidden = !(issue in otherwise);
    }
    own.replaceChildren(...state.rules.settings.map(text => make('button', {
      type: 'button', class: 'setting', title: 'remove this change',
      onclick: () => change({rules: {...state.rules, settings: state.rules.settings.filter(other => other !== text)}}),
    }, `${text} ✕`)));
  };

  subscribe(changed => {
    if (changed.has('start')) {
      choice.replaceChildren(...derived.start.rulebooks.map(({name, title}) => make('option', {value: name, title: name}, title)));
      list.replaceChildren(...derived.start.options.map(option));
    }
    if (changed.has('start') || changed.has('rules')) show();
    if (changed.has('before')) changes.textContent = told();
  });
};

// How many verdicts are other than under the rulebook before.
const told = () => {
  if (!derived.before || !derived.judged) return '';
  const count = derived.judged.orders.filter(({power, order, verdict}) => {
    const before = derived.before.get(`${power}\n${order}`);
    return before && before !== verdict;
  }).length;
  return count === 0 ? 'no order changes' : count === 1 ? 'one verdict changes' : `${count} verdicts change`;
};
