import {childrenOf} from './tree.js';

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
  picture: null,  // the answer to `draw`, text of an SVG document
  choices: [],  // the answer to `choices`
  fault: null,  // why there is no answer
  seen: null,  // the answer to `see`, while a resolution is shown, with its number
  before: null,  // the verdicts under the rulebook before, by power and order, until the orders change
  lit: null,  // the order that is pointed at: {power, order}
  asked: null,  // the order that is explained: {power, order}
  shown: null,  // the provinces to light with numbers: {provinces: [{province, number}]}
  core: null,  // the number of the core that is pointed at, from 0
  charted: null,  // the answer to `chart` for the line of play at hand
  notice: '',  // what is told once: a link that cannot be read, that a link was copied
  decision: null,  // the decision of a core that is pointed at
};

const listeners = new Set();

// Calls `listener(changed)` after every change; `changed` is a set of the names that were changed.
export const subscribe = listener => listeners.add(listener);

const assign = (target, patch) => {
  Object.assign(target, patch);
  const changed = new Set(Object.keys(patch));
  for (const listener of listeners) listener(changed);
};

export const change = patch => {
  settleTyping();
  assign(state, patch);
};
export const tell = patch => assign(derived, patch);

export const node = (id = state.at) => state.nodes.find(one => one.id === id);

const PAUSE = 120;  // milliseconds after the last key
let typing = null;  // {sheet, timer}: what is typed and not yet the sheet of the phase at hand

// Takes what is being typed, line by line: it is the sheet after a pause, or as soon as anything else asks or changes something.
export const typeSheet = sheet => {
  if (typing && linesIn(typing.sheet) !== linesIn(sheet)) settleTyping();
  clearTimeout(typing?.timer);
  typing = {sheet, timer: setTimeout(settleTyping, PAUSE)};
  if (!derived.judging) tell({judging: true});
};

export const linesIn = sheet => sheet.split('\n').length;
export const isTyping = () => typing !== null;

export const settleTyping = () => {
  if (!typing) return;
  const {sheet, timer} = typing;
  clearTimeout(timer);
  typing = null;
  changeNode({sheet});
};

// Changes the phase at hand. What was played after it rests on what it was: then the change begins a branch beside it, and
// is that again once nothing is otherwise any more.
export const changeNode = patch => {
  settleTyping();
  const here = node();
  const next = {...here, ...patch};
  const same = one => one.position === next.position && one.sheet === next.sheet;
  const played = childrenOf(state.nodes, here.id).length > 0;
  const twin = childrenOf(state.nodes, here.parent).find(one => one !== here && same(one));
  if (same(here)) change({nodes: replaced(next)});
  else if (twin) change({nodes: played ? state.nodes : state.nodes.filter(one => one !== here), at: twin.id});
  else if (played) change({nodes: [...state.nodes, {...next, id: unusedId(), name: ''}], at: unusedId()});
  else change({nodes: replaced(next)});
};

const replaced = next => state.nodes.map(one => one.id === next.id ? next : one);
const unusedId = () => 1 + state.nodes.reduce((most, one) => Math.max(most, one.id), 0);

// Adds a phase behind the one at hand (or as a new root) and goes there.
export const addNode = (position, {sheet = '', parent} = {}) => {
  settleTyping();
  const id = unusedId();
  change({nodes: [...state.nodes, {id, parent: parent === undefined ? state.at : parent, position, sheet}], at: id, view: 'ruled'});
};

// The opening position, to which nothing was done yet.
const isUntouched = one => one.position === derived.start?.position && !one.sheet && !one.name;

// Adds phases as satjudge opens them (`opening.py`) beside what is there, and goes to the first of them.
export const addOpened = opened => {
  settleTyping();
  const first = unusedId();
  const others = state.nodes.length === 1 && isUntouched(state.nodes[0]) ? [] : state.nodes;
  const nodes = opened.map(({position, sheet, title, about, follows}, index) => ({
    id: first + index, parent: follows ? first + index - 1 : null, position, sheet, ...(follows ? {} : {name: title.slice(0, 300), about: about.slice(0, 20_000)}),
  }));
  change({nodes: [...others, ...nodes], at: first, rules: opened[0].rules, view: 'ruled', mode: 'orders'});
};

// The question about the phase at hand, with what else it needs: `question('explain', {power, order})`.
export const question = (ask, more = {}) => {
  settleTyping();
  const {position, sheet} = node();
  return {ask, position, sheet, rules: state.rules, ...more};
};
