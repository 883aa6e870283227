// How the picture is to be drawn: how large its marks are, so that units have the same size on the screen at any zoom, and
// what units and labels look like, which the player chooses.
import {foldAway, make} from './dom.js';
import {icon} from './icons.js';
import {derived, subscribe, tell} from './store.js';

const LEVELS = [0.25, 0.35, 0.5, 0.7, 1, 1.3, 1.7, 2.2, 2.9, 3.8, 5, 6.5, 8];
const UNIT = 27;  // units of the map that a unit is wide where marks are as large as usual
const WANTED = 32, LEAST = 25;  // pixels
const STAYS = 1.25;  // how far from what is wanted a picture may be that is there already

// Asks for another picture where the marks of this one are too small or too large on the screen.
export const fitMarks = (unitsPerPixel, wide) => {
  const shown = UNIT * derived.look.marks / unitsPerPixel;
  if (shown >= LEAST && shown <= WANTED * STAYS) return;
  const exact = WANTED * unitsPerPixel / UNIT, least = LEAST * unitsPerPixel / UNIT;
  const fitting = LEVELS.filter(level => level >= least);
  const marks = fitting.reduce((best, level) => Math.abs(Math.log(level / exact)) < Math.abs(Math.log(best / exact)) ? level : best, fitting[0] ?? LEVELS.at(-1));
  const width = Math.round(Math.min(4000, Math.max(300, wide * WANTED / UNIT / marks)));  // so letters are planned for what is seen
  if (marks !== derived.look.marks) tell({look: {...derived.look, marks, width}});
};

const choices = (label, key, entries) => make('fieldset', {class: 'choices'}, make('legend', {}, label), make('div', {class: 'segments'},
  ...entries.map(([value, name]) => make('button', {type: 'button', 'data-look': `${key}=${value}`,
    onclick: () => tell({look: {...derived.look, [key]: value}})}, name))));

// The menu over the map.
export const makeLook = () => {
  const plain = make('input', {type: 'checkbox', onchange: () => document.body.classList.toggle('patterned', plain.checked)});
  const menu = make('details', {class: 'look'}, make('summary', {title: 'Appearance of the map'}, icon('look'), make('span', {class: 'unseen'}, 'Appearance of the map')),
    make('div', {class: 'pop'},
      choices('Units', 'pieces', [['wood', 'Wooden'], ['symbols', 'Symbols'], ['letters', 'Letters']]),
      choices('Names', 'labels', [['codes', 'Codes'], ['full', 'Full'], ['none', 'None']]),
      make('label', {class: 'tick'}, plain, 'Mark powers by patterns too')));
  foldAway(menu);
  const show = () => {
    for (const button of menu.querySelectorAll('[data-look]')) {
      const [key, value] = button.dataset.look.split('=');
      button.setAttribute('aria-pressed', String(derived.look[key] === value));
    }
  };
  show();
  subscribe(changed => { if (changed.has('look')) show(); });
  return menu;
};
