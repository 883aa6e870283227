// What is told once, until it is put away or something else is told.
import {make} from './dom.js';
import {icon} from './icons.js';
import {derived, subscribe, tell} from './store.js';

const BRIEF = 6000;  // milliseconds

// Tells what went well, which nobody has to put away.
export const tellBriefly = notice => {
  tell({notice});
  setTimeout(() => { if (derived.notice === notice) tell({notice: ''}); }, BRIEF);
};

export const showNotice = () => {
  const place = document.querySelector('#status');
  const away = make('button', {type: 'button', class: 'square', 'aria-label': 'Close this message', onclick: () => tell({notice: ''})}, icon('close'));
  subscribe(changed => {
    if (changed.has('notice')) place.replaceChildren(...(derived.notice ? [make('span', {}, derived.notice), away] : []));
  });
};
