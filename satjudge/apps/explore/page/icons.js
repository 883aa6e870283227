// The page's own icons: lines on a square of 24, in the colour of the text beside them.
import {makeSvg} from './dom.js';

const PATHS = {
  gallery: 'M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v4H4zM14 15h6v4h-6z',
  open: 'M3 19V6a1 1 0 0 1 1-1h5l2 3h8a1 1 0 0 1 1 1v2M3 19l3-8h15l-3 8z',
  save: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 19.5h16',
  share: 'M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12.2 6.1M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.4-1.4',
  help: 'M9 9.2a3.1 3.1 0 1 1 4.4 2.9c-.9.5-1.4 1-1.4 2.1M12 18v.01',
  rules: 'M5 4.5h11.5a2 2 0 0 1 2 2V20H7a2 2 0 0 1-2-2zM5 17.6A2 2 0 0 1 7 16h11.5M9 8.5h6',
  undo: 'M8 5 4 9l4 4M4 9h9.5a5.5 5.5 0 0 1 0 11H9',
  redo: 'm16 5 4 4-4 4M20 9h-9.5a5.5 5.5 0 0 0 0 11H15',
  next: 'M5 12h13M12.5 6l6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  near: 'M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4M12 9.5v5M9.5 12h5',
  whole: 'M3.5 6.5 9 4l6 2.5L20.5 4v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20',
  edit: 'm14.5 5.5 4 4L8.5 19.5 4 20l.5-4.5z',
  close: 'M6 6l12 12M18 6 6 18',
  look: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  setup: 'M4 20v-2.5M4 20h16M7 16.5h10l-1.4-4H8.4zM12 12.5V10M12 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  good: 'm5 12.5 4.5 4.5L19 7.5',
  bad: 'M7 7l10 10M17 7 7 17',
  void: 'M6 12h12',
  hold: 'M12 4v10M7 8l5-4 5 4M5 20h14',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  text: 'M5 6h14M5 10h14M5 14h9M5 18h11',
  down: 'm6 9 6 6 6-6',
};

export const icon = (name, more = {}) => makeSvg('svg', {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', ...more},
  makeSvg('path', {d: PATHS[name]}));

// The sign of the page: a piece on a board.
export const brand = () => makeSvg('svg', {class: 'sign', viewBox: '0 0 24 24', 'aria-hidden': 'true'},
  makeSvg('rect', {x: 1.5, y: 1.5, width: 21, height: 21, rx: 6, class: 'ground'}),
  makeSvg('path', {d: 'm6.5 12.6 3.6 3.6 7.4-8', class: 'tick'}));
