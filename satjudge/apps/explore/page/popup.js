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
      const {clientWidth, clientHeight} = frame;
      box.classList.toggle('above', at.y > clientHeight / 2);  // on a phone it stands above or below, and hides not what it is about
      const left = Math.min(Math.max(at.x + 16, 4), clientWidth - box.offsetWidth - 4);
      const below = at.y + 16 + box.offsetHeight <= clientHeight;
      const top = below ? at.y + 16 : Math.max(4, at.y - 16 - box.offsetHeight);
      Object.assign(box.style, {left: `${Math.max(4, left)}px`, top: `${top}px`});
      (body.querySelector('[autofocus]') ?? buttons()[0])?.focus({preventScroll: true});
    },
  };
};

// A list of buttons: `{label, note, run}`.
export const list = entries => make('ul', {}, ...entries.map(({label, note, run}) =>
  make('li', {}, make('button', {type: 'button', onclick: run}, label, note && make('small', {}, note)))));
