// What the page knows. `state` is what a player made, and all that a link holds; `derived` is what satjudge says of it.

export const state = {
  rules: {name: 'datc-3', settings: []},
  nodes: [],  // phases, as a tree: {id, parent, position, sheet}; a parent stands before its children
  at: null,  // the id of the phase at hand
  view: 'ruled',  // 'ruled', 'after', or the number of a resolution
  mode: 'orders',  // or 'position', where units are set and taken away
  victory: null,
};

export const derived = {
  start: null,  // the answer to `start`: provinces, powers, maps, rulebooks, options
  judged: null,  // the answer to `judge`
  picture: null,  // the answer to `draw`, text of an SVG document
  choices: [],  // the answer to `choices`
  fault: null,  // why there is no answer
  seen: null,  // the answer to `see`, while a resolution is shown, with its number
  before: null,  // the verdicts under the rulebook before, by power and order, until the orders change
  lit: null,  // the order that is pointed at: {power, order}
  asked: null,  // the order that is explained: {power, order}
  shown: null,  // the provinces to light with numbers: {provinces: [{province, number}]}
  core: null,  // the number of the core that is pointed at, from 0
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

export const change = patch => assign(state, patch);
export const tell = patch => assign(derived, patch);

export const node = (id = state.at) => state.nodes.find(one => one.id === id);

// Changes the phase at hand. What was played after it rests on what it was, and goes.
export const changeNode = patch => {
  const gone = new Set(descendants(state.at));
  const nodes = state.nodes.filter(one => !gone.has(one.id));
  change({nodes: nodes.map(one => one.id === state.at ? {...one, ...patch} : one)});
};

const descendants = id => state.nodes.filter(one => one.parent === id).flatMap(one => [one.id, ...descendants(one.id)]);

// Adds a phase behind the one at hand (or as a new root) and goes there.
export const addNode = (position, {sheet = '', parent = state.at} = {}) => {
  const id = 1 + Math.max(0, ...state.nodes.map(one => one.id));
  change({nodes: [...state.nodes, {id, parent, position, sheet}], at: id, view: 'ruled'});
};

// The question about the phase at hand, with what else it needs: `question('explain', {power, order})`.
export const question = (ask, more = {}) => {
  const {position, sheet} = node();
  return {ask, position, sheet, rules: state.rules, ...more};
};
