// Below: the lines of play, phase by phase, with branches; going on; undo and redo.
import {make} from './dom.js';
import {icon} from './icons.js';
import {addNode, change, derived, node, otherPhases, question, state, subscribe, tell} from './store.js';
import {childrenOf, keyOf, linesOf, ownOf} from './tree.js';
import {canRedo, canUndo, keepHistory, redo, undo} from './history.js';
import {showChart} from './chart.js';

const SEASONS = {S: 'Spring', F: 'Fall', W: 'Winter'};
const KINDS = {M: 'moves', R: 'retreats', A: 'builds and removals'};

// `S1901M` as people say it.
export const phaseInWords = name => {
  const [, season, year, kind] = name.match(/^(.)(\d+)(.)$/) ?? [];
  return season ? `${SEASONS[season]} ${year}, ${KINDS[kind]}` : name;
};

const nameOf = (line, number) => {
  const [head] = line.phases;
  const from = state.nodes.find(one => one.id === line.off);
  return head.name || (from ? `branch from ${from.position.phase}` : `line ${number + 1}`);
};

const lineAtHand = lines => lines.find(line => line.phases.some(one => one.id === state.at));

// Goes on from the phase at hand: to what was played there already, if satjudge says the same, else along a branch. Who has
// typed on or gone elsewhere in the meantime stays there.
const goOn = async ask => {
  const here = node();
  const asked = question('next', {victory: state.victory});
  const {position} = await ask(asked);
  const now = question('next', {victory: state.victory});
  if (state.at !== here.id || Object.keys(asked).some(name => asked[name] !== now[name])) {
    tell({notice: 'You changed this phase while it was being judged. Choose “Next phase” again.'});
    return;
  }
  const key = keyOf(position);
  const there = childrenOf(state.nodes, here.id).find(one => keyOf(one.position) === key);
  tell({moved: new Map((derived.judged?.orders ?? []).filter(({sign, places}) => !sign && places.length === 2)
    .map(({order, places: [, to]}) => [order.split(' - ')[0], to]))});
  if (there) change({at: there.id, view: 'ruled'});
  else addNode(position, {parent: here.id});
};

// Takes away what only this line has; the page goes on where it branched off.
const removeLine = line => {
  const gone = new Set(ownOf(state.nodes, line).map(one => one.id));
  const nodes = state.nodes.filter(one => !gone.has(one.id));
  const [first] = ownOf(state.nodes, line);
  change({nodes, at: gone.has(state.at) ? first.parent ?? nodes[0].id : state.at, view: 'ruled'});
};

const rename = (line, name) => change({
  nodes: state.nodes.map(one => one.id === line.phases[0].id ? {...one, name} : one),
});

export const showTimeline = ({ask}) => {
  keepHistory();
  const list = make('ol', {class: 'lines'});
  const ended = make('strong', {class: 'ended', role: 'status'});
  const next = make('button', {type: 'button', class: 'next primary', disabled: true, title: 'Judge the orders and continue (Ctrl-Enter)', onclick: () => run(() => goOn(ask))}, make('span', {class: 'word'}, 'Next phase'), icon('next'));
  const back = make('button', {type: 'button', class: 'square quiet', disabled: true, onclick: undo, title: 'Undo (Ctrl-Z)'}, icon('undo'), make('span', {class: 'unseen'}, 'Undo'));
  const again = make('button', {type: 'button', class: 'square quiet', disabled: true, onclick: redo, title: 'Redo (Ctrl-Shift-Z)'}, icon('redo'), make('span', {class: 'unseen'}, 'Redo'));
  // On a phone one line is in sight, and the others are chosen.
  const which = make('select', {class: 'which', 'aria-label': 'Line of play', hidden: true, onchange: () => change({at: linesOf(state.nodes)[which.value].phases.at(-1).id})});
  document.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.target.closest('dialog, form')) return;
    event.preventDefault();
    next.click();
  });
  let going = false;
  const run = async work => {
    if (going) return;
    going = true;
    try {
      await work();
    } catch (error) {
      tell({fault: error.fault ?? {message: String(error)}});
    }
    going = false;
  };
  document.querySelector('#timeline').append(make('div', {class: 'going'}, back, again), which, list, make('div', {class: 'going'}, ended, next));
  document.querySelector('#standing').append(showChart({ask}));

  const phaseButton = (one, branches) => make('li', {}, make('button', {
    type: 'button', class: branches ? 'phase forks' : 'phase', 'data-node': one.id, title: phaseInWords(one.position.phase),
    'aria-label': `${one.position.phase}, ${phaseInWords(one.position.phase)}${branches ? ', other lines start here' : ''}`,
    'aria-current': one.id === state.at ? 'step' : false, tabindex: one.id === state.at ? '0' : '-1', onclick: () => change({at: one.id}),
  }, one.position.phase));

  const nameField = (line, number) => make('input', {class: 'name', 'data-head': line.phases[0].id, value: line.phases[0].name ?? '', placeholder: nameOf(line, number),
    'aria-label': `Name of ${nameOf(line, number)}`, maxlength: 300, onchange: event => rename(line, event.target.value.trim())});
  const remover = (line, number) => make('button', {type: 'button', class: 'remove square quiet', 'aria-label': `Remove ${nameOf(line, number)}`,
    title: 'Remove this line', onclick: () => removeLine(line)}, icon('close'));

  const show = () => {
    const lines = linesOf(state.nodes);
    const many = lines.length > 1;
    const focused = list.contains(document.activeElement) && document.activeElement;
    list.classList.toggle('many', many);
    list.replaceChildren(...lines.map((line, number) => make('li', {class: line === lineAtHand(lines) ? 'line at-hand' : 'line'},
      (many || line.phases[0].name) && nameField(line, number),
      make('ol', {class: 'phases', 'aria-label': nameOf(line, number)},
        ...line.phases.map(one => phaseButton(one, childrenOf(state.nodes, one.id).length > 1))),
      many && remover(line, number))));
    which.hidden = !many;
    which.replaceChildren(...lines.map((line, number) => make('option', {value: number, selected: line === lineAtHand(lines)}, nameOf(line, number))));
    if (focused) (list.querySelector(`[data-head="${focused.dataset.head}"]`) ?? list.querySelector('[aria-current]')).focus();
    requestAnimationFrame(() => list.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'}));
  };

  const showNext = () => {
    const over = derived.charted?.ended && !childrenOf(state.nodes, state.at).length;
    next.disabled = Boolean(over);
    ended.textContent = over ? `Over: ${overInWords(derived.charted.ended)}` : '';
    back.disabled = !canUndo();
    again.disabled = !canRedo();
  };

  list.addEventListener('keydown', event => {
    if (!event.target.dataset.node) return;
    const id = along(event.key);
    if (id === null) return;
    event.preventDefault();
    if (id) change({at: id});
  });

  subscribe(changed => {
    if (!node()) return;
    if (otherPhases(changed)) show();
    if (['nodes', 'at', 'rules', 'victory', 'charted'].some(name => changed.has(name))) showNext();
  });
};

const overInWords = ended => ended.replace(/^\S+/, power => derived.start?.powers[power] ?? power);

// Where an arrow key leads from the phase at hand: an id, undefined for nowhere, null for another key.
const along = key => {
  const lines = linesOf(state.nodes);
  const line = lineAtHand(lines), at = line.phases.findIndex(one => one.id === state.at);
  const near = step => lines[lines.indexOf(line) + step];
  const beside = other => other && (other.phases.find(one => one.position.phase === node().position.phase) ?? other.phases[0]).id;
  switch (key) {
    case 'ArrowLeft': return node().parent ?? undefined;
    case 'ArrowRight': return line.phases[at + 1]?.id;
    case 'ArrowUp': return beside(near(-1));
    case 'ArrowDown': return beside(near(1));
    case 'Home': return line.phases[0].id;
    case 'End': return line.phases.at(-1).id;
    default: return null;
  }
};
