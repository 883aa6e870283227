// Help: what the page does by mouse and keys, or by fingers where there are no others, on `?`.
import {make} from './dom.js';
import {addTool, makeDialog} from './dialog.js';

const BY_HAND = [
  [['press a unit', 'then a lit place'], 'move, support or convoy; twice on a unit: hold'],
  [['drag'], 'a unit to where it goes'],
  [['right press', 'or a long one'], 'all legal orders of a unit'],
];
const BY_FINGER = ['For fingers', [
  [['press a unit', 'then a lit place'], 'move, support or convoy; twice on a unit: hold'],
  [['drag'], 'a unit to where it goes, or the map'],
  [['long press'], 'all legal orders of a unit, or to a place'],
  [['two fingers'], 'zoom'],
  [['pull the drawer'], 'orders and details'],
  [['press an order'], 'why it comes to that'],
]];
const BY_KEYS = [
  ['On the map', [
    ...BY_HAND, [['p', 'a', 'r'], 'type a name anywhere: go to that place'],
    [['arrows'], 'from place to place'], [['Enter'], 'press it'], [['Esc'], 'let go'], [['Del'], 'take its order away'],
    [['+', '−'], 'zoom'], [['0'], 'the whole map'],
  ]],
  ['Orders', [
    [['F2'], 'list or text'], [['↑', '↓'], 'from order to order'], [['Enter'], 'why it comes to that'], [['E'], 'edit it in place'],
    [['Del'], 'take it away'],
  ]],
  ['The game', [
    [['Ctrl', 'Z'], 'undo anything'], [['Ctrl', 'Y'], 'redo'], [['Ctrl', 'Enter'], 'next phase'], [['←', '→'], 'on a phase: along the line'],
    [['1', '…', '9'], 'resolutions of a paradox'], [['?'], 'this help'],
  ]],
];

export const showHelp = () => {
  const part = ([title, rows], kind = '') => make('section', {class: kind}, make('h3', {}, title), make('dl', {}, ...rows.flatMap(([keys, about]) => [
    make('dt', {}, ...keys.map(key => make('kbd', {}, key))), make('dd', {}, about)])));
  const dialog = makeDialog('Help', {class: 'help'}, make('div', {class: 'parts'}, part(BY_FINGER, 'fingers'), ...BY_KEYS.map(one => part(one, 'keys'))),
    make('p', {}, 'Orders are judged as they are given. Where more than one resolution is consistent, each has a tab over the map. '
      + 'Everything is in the address: share it, and others see what you see.'));
  addTool('Help', 'help', dialog);
  document.addEventListener('keydown', event => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
    event.preventDefault();
    dialog.showModal();
  });
};
