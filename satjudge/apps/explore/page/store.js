import {childrenOf, keyOf} from './tree.js';

// What the page knows. `state` is what a player made, and all that a link holds; `derived` is what satjudge says of it.

export const state = {
  rules: {name: 'datc-3', settings: []},
  nodes: [],  // phases, as a tree (tree.js): {id, parent, position, sheet}, some with a `name`, and with what a case says `about` itself
  at: null,  // the id of the phase at hand
  view: 'ruled',  // 'ruled', 'after', or the number of a resolution
  mode: 'orders',  // or 'position', where units are set and taken away
  victory: null,
};

export const derived = {
  start: null,  // the answer to `start`: provinces, powers, maps, rulebooks, options
  judged: null,  // the answer to `judge`, with the `sheet` that was asked about
  judging: false,  // whether what is judged is older than what there is
  look: {marks: 1.7, pieces: 'wood', labels: 'codes'},  // how the picture is to be drawn (look.js)
  moved: null,  // where units went that moved when the phase before ended: a map from `A PAR` to `BUR`
  picture: null,  // the answer to `draw`, text of an SVG document
  choices: [],  // the answer to `choices`
  fault: null,  // why there is no answer
  seen: null,  // the answer to `see`, while a resolution is shown, with its number
  before: null,  // the verdicts under the rulebook before, by power and order, until the orders change
  lit: null,  // the order that is pointed at: {power, order}
  asked: null,  // the order that is explained: {power, order}
  given: null,  // the order given last on the map, till it is judged: {power, order}
  details: false,  // told when the drawer of a phone is to show the details
  menu: null,  // the province whose legal orders are to be listed on the map
  shown: null,  // the provinces to light with numbers, and the first reason: {provinces: [{province, number}], says}
  core: null,  // the number of the core that is pointed at, from 0
  charted: null,  // the answer to `chart` for the line of play at hand
  notice: '',  // what is told once: a link that cannot be read, that a link was copied
  decision: null,  // the decision of a core that is pointed at
};

const listeners = new Set();

// Calls `listener(changed)` after every change; `changed` is a set of the names that were changed, with how that was done:
// `typed` where a player types, and nothing but the sheet of the phase at hand is another; `stepped` by undo and redo.
export const subscribe = listener => listeners.add(listener);

// Whether there are other phases than before, or another one is at hand: not at every letter that is typed.
export const otherPhases = changed => changed.has('at') || (changed.has('nodes') && !changed.has('typed'));

const assign = (target, patch, ...how) => {
  Object.assign(target, patch);
  const changed = new Set([...Object.keys(patch), ...how]);
  for (const listener of listeners) listener(changed);
};

export const change = (patch, ...how) => assign(state, patch, ...how);
export const tell = patch => assign(derived, patch);

export const node = (id = state.at) => state.nodes.find(one => one.id === id);

// What is typed is the sheet of the phase at hand from the first letter on: there is never another text to write back.
export const typeSheet = sheet => changeNode({sheet}, 'typed');

// Changes the phase at hand. What was played after it rests on what it was: then the change begins a branch beside it, and
// is that again once nothing is otherwise any more; a branch with a name stays.
export const changeNode = (patch, ...how) => {
  const here = node();
  const next = {...here, ...patch};
  const same = one => one.position === next.position && one.sheet === next.sheet;
  const played = childrenOf(state.nodes, here.id).length > 0;
  const twin = (played || !here.name) && childrenOf(state.nodes, here.parent).find(one => one !== here && same(one));
  if (same(here)) change({nodes: replaced(next)}, ...how);
  else if (twin) change({nodes: played ? state.nodes : state.nodes.filter(one => one !== here), at: twin.id}, ...how);
  else if (played) change({nodes: [...state.nodes, {...next, id: unusedId(), name: ''}], at: unusedId()}, ...how);
  else change({nodes: replaced(next)}, ...how);
};

const replaced = next => state.nodes.map(one => one.id === next.id ? next : one);
const unusedId = () => 1 + state.nodes.reduce((most, one) => Math.max(most, one.id), 0);

// Adds a phase behind the one at hand (or as a new root) and goes there.
export const addNode = (position, {sheet = '', parent} = {}) => {
  const id = unusedId();
  change({nodes: [...state.nodes, {id, parent: parent === undefined ? state.at : parent, position, sheet}], at: id, view: 'ruled'});
};

// The opening position, to which nothing was done yet.
export const isUntouched = one => !one.sheet && !one.name && derived.start && keyOf(one.position) === keyOf(derived.start.position);

// Adds phases as satjudge opens them (`wire.py`) beside what is there, and goes to the first of them.
export const addOpened = opened => {
  const first = unusedId();
  const others = state.nodes.length === 1 && isUntouched(state.nodes[0]) ? [] : state.nodes;
  const nodes = opened.map(({position, sheet, title, about, follows}, index) => ({
    id: first + index, parent: follows ? first + index - 1 : null, position, sheet, ...(follows ? {} : {name: title.slice(0, 300), about: about.slice(0, 20_000)}),
  }));
  change({nodes: [...others, ...nodes], at: first, rules: opened[0].rules, view: 'ruled', mode: 'orders'});
};

// The question about the phase at hand, with what else it needs: `question('explain', {power, order})`.
export const question = (ask, more = {}) => {
  const {position, sheet} = node();
  return {ask, position, sheet, rules: state.rules, ...more};
};
