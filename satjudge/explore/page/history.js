// Undo and redo of what a player made: phases, orders, positions, rulebook. Where in the game the player looks is no step.
import {change, linesIn, settleTyping, state, subscribe} from './store.js';

const STEPS = 300;
const ONE_STEP = 1000;  // milliseconds: typing in one line of a sheet without such a pause is one step
const KEPT = ['nodes', 'at', 'rules', 'victory'];

const past = [], future = [];
let now = null;  // what there is, as a step would bring it back
let moving = false;
let typed = {id: null, time: 0};  // the phase whose sheet was last typed in, and when

const taken = () => Object.fromEntries(KEPT.map(name => [name, state[name]]));

// The id of the phase if nothing but its sheet is otherwise.
const typedIn = before => {
  if (before.nodes.length !== state.nodes.length || before.rules !== state.rules || before.victory !== state.victory) return null;
  const others = state.nodes.filter((one, index) => one !== before.nodes[index]);
  return others.length === 1 && before.nodes.find(one => one.id === others[0].id)?.position === others[0].position ? others[0].id : null;
};

const linesOf = (kept, id) => linesIn(kept.nodes.find(one => one.id === id).sheet);

const remember = changed => {
  if (moving || !KEPT.some(name => changed.has(name))) return;
  const before = now;
  now = taken();
  if (!before?.nodes.length || KEPT.every(name => name === 'at' || before[name] === now[name])) return;
  const id = typedIn(before), time = Date.now();
  const more = id !== null && id === typed.id && time - typed.time < ONE_STEP && linesOf(before, id) === linesOf(now, id);
  typed = {id, time};
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
  change(Object.fromEntries(KEPT.filter(name => now[name] !== state[name]).map(name => [name, now[name]])));
  moving = false;
};

const settled = run => () => {
  settleTyping();
  run();
};

export const undo = settled(() => step(past, future));
export const redo = settled(() => step(future, past));
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
