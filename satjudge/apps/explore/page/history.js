// Undo and redo of what a player made: phases, orders, positions, rulebook. Where in the game the player looks is no step.
import {change, state, subscribe} from './store.js';

const STEPS = 300;
const ONE_STEP = 1000;  // milliseconds: typing in one line of a sheet without such a pause is one step
const KEPT = ['nodes', 'at', 'rules', 'victory'];

const past = [], future = [];
let now = null;  // what there is, as a step would bring it back
let moving = false;
let typed = {id: null, time: 0};  // the phase whose sheet was typed in last, and when; null if another change came since

const taken = () => Object.fromEntries(KEPT.map(name => [name, state[name]]));

// How many lines the sheet of the phase at hand has.
const linesIn = ({nodes, at}) => nodes.find(one => one.id === at).sheet.split('\n').length;

const remember = changed => {
  if (moving || !KEPT.some(name => changed.has(name))) return;
  const before = now;
  now = taken();
  if (!before?.nodes.length || KEPT.every(name => name === 'at' || before[name] === now[name])) return;
  const time = Date.now();
  const more = changed.has('typed') && before.at === typed.id && time - typed.time < ONE_STEP && linesIn(before) === linesIn(now);
  typed = {id: changed.has('typed') ? state.at : null, time};
  if (more) return;
  past.push(before);
  past.splice(0, past.length - STEPS);
  future.length = 0;
};

const step = (from, to) => {
  if (!from.length) return;
  to.push(now);
  now = from.pop();
  typed = {id: null, time: 0};
  moving = true;
  change(Object.fromEntries(KEPT.filter(name => now[name] !== state[name]).map(name => [name, now[name]])), 'stepped');
  moving = false;
};

export const undo = () => step(past, future);
export const redo = () => step(future, past);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

// Ctrl-Z and Ctrl-Y anywhere but in fields that are no order sheet: the map writes into the sheet, which browsers do not undo.
const press = event => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const own = event.target.closest('input, textarea, select, dialog');
  if (own && !own.closest('#sheet')) return;
  const key = event.key.toLowerCase();
  const run = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : null;
  if (!run) return;
  event.preventDefault();
  run();
};

export const keepHistory = () => {
  subscribe(remember);
  document.addEventListener('keydown', press);
};
