// Help: what the page does by mouse and keys, or by fingers where there are no others, on `?`.
import {make} from './dom.js';
import {addTool, makeDialog} from './dialog.js';

const BY_HAND = [
  [['click a unit', 'then a highlighted place'], 'move, support or convoy; click twice to hold'],
  [['drag a unit'], 'move'],
  [['right click', 'or long press'], 'list all legal orders of a unit'],
];
const BY_FINGER = ['On a touch screen', [
  [['tap a unit', 'then a highlighted place'], 'move, support or convoy; tap twice to hold'],
  [['drag'], 'move a unit, or the map'],
  [['long press'], 'list all legal orders of a unit, or to a place'],
  [['two fingers'], 'zoom'],
  [['pull up the drawer'], 'orders and details'],
  [['tap an order'], 'why it has this verdict'],
]];
const BY_KEYS = [
  ['On the map', [
    ...BY_HAND, [['p', 'a', 'r'], 'type the letters of a place to go there'],
    [['arrows'], 'go from place to place'], [['Enter'], 'choose it'], [['Esc'], 'deselect'], [['Del'], 'remove its order'],
    [['+', '−'], 'zoom'], [['0'], 'show the whole map'],
  ]],
  ['Orders', [
    [['F2'], 'list or text'], [['↑', '↓'], 'go from order to order'], [['Enter'], 'why it has this verdict'], [['E'], 'edit it'],
    [['Del'], 'remove it'],
  ]],
  ['The game', [
    [['Ctrl', 'Z'], 'undo'], [['Ctrl', 'Y'], 'redo'], [['Ctrl', 'Enter'], 'next phase'], [['←', '→'], 'previous or next phase'],
    [['1', '…', '9'], 'show a resolution of a paradox'], [['?'], 'this help'],
  ]],
];

export const showHelp = () => {
  const part = ([title, rows], kind = '') => make('section', {class: kind}, make('h3', {}, title), make('dl', {}, ...rows.flatMap(([keys, about]) => [
    make('dt', {}, ...keys.map(key => make('kbd', {}, key))), make('dd', {}, about)])));
  const dialog = makeDialog('Help', {class: 'help'}, make('div', {class: 'parts'}, part(BY_FINGER, 'fingers'), ...BY_KEYS.map(one => part(one, 'keys'))),
    make('p', {}, 'Orders are judged as you type. If several resolutions are consistent, each has a tab above the map. '
      + 'The address of the page contains everything, so you can share it as a link.'));
  addTool('Help', 'help', dialog);
  document.addEventListener('keydown', event => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
    event.preventDefault();
    dialog.showModal();
  });
};
