// A small window at a place of the map: a list to choose from, or a palette.
import {make} from './dom.js';
import {icon} from './icons.js';

// Opens in `frame`; `closed()` is called when it is left by Escape or its own button.
export const makePopup = (frame, closed) => {
  const title = make('strong');
  const body = make('div', {class: 'popup-body'});
  const box = make('div', {class: 'popup', role: 'dialog', hidden: true}, make('div', {class: 'popup-head'}, title,
    make('button', {type: 'button', class: 'square quiet', 'aria-label': 'Close', onclick: () => closed()}, icon('close'))), body);
  frame.append(box);
  const buttons = () => [...body.querySelectorAll('button:not(:disabled)')];
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') closed();
    else if (['ArrowDown', 'ArrowUp'].includes(event.key) && event.target.matches('button')) {
      const all = buttons();
      all.at((all.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const name of ['click', 'pointerdown', 'wheel']) box.addEventListener(name, event => event.stopPropagation());

  return {
    holdsFocus: () => box.contains(document.activeElement),
    close: () => { box.hidden = true; },
    focus: selector => body.querySelector(selector)?.focus(),
    // Shows children near a place, in pixels from the corner of the frame, and has the focus in it.
    open: (at, name, ...children) => {
      title.textContent = name;
      box.setAttribute('aria-label', name);
      body.replaceChildren(...children.filter(Boolean));
      box.hidden = false;
      box.classList.toggle('above', at.y > frame.clientHeight / 2);  // on a phone it stands above or below, and hides not what it is about
      const {left, top} = clearPlace(frame, box, at);
      Object.assign(box.style, {left: `${left}px`, top: `${top}px`});
      (body.querySelector('[autofocus]') ?? buttons()[0])?.focus({preventScroll: true});
    },
  };
};

// Where a box near a place hides fewest of the places that may be pressed next: beside it, and farther away where that helps.
const clearPlace = (frame, box, at) => {
  const {left: x, top: y} = frame.getBoundingClientRect();
  const lit = [...frame.querySelectorAll('.spot.lit .dot')].map(one => one.getBoundingClientRect());
  const {offsetWidth: wide, offsetHeight: high} = box;
  const within = (value, size, room) => Math.max(4, Math.min(value, room - size - 4));
  const hidden = ({left, top}) => lit.filter(one =>
    one.right - x > left && one.left - x < left + wide && one.bottom - y > top && one.top - y < top + high).length;
  const places = [16, 40, 60, 90, 120, 160].flatMap(away => [[away, away], [away, -away - high], [-away - wide, away], [-away - wide, -away - high]]).map(([across, down]) =>
    ({left: within(at.x + across, wide, frame.clientWidth), top: within(at.y + down, high, frame.clientHeight)}));
  return places.reduce((best, one) => hidden(one) < hidden(best) ? one : best);
};

// A list of buttons: `{label, note, run}`.
export const list = entries => make('ul', {}, ...entries.map(({label, note, run}) =>
  make('li', {}, make('button', {type: 'button', onclick: run}, label, note && make('small', {}, note)))));
