// What is told once, at the top of the page, until it is put away or something else is told.
import {make} from './dom.js';
import {derived, subscribe, tell} from './store.js';

export const showNotice = () => {
  const place = document.querySelector('#status');
  const away = make('button', {type: 'button', 'aria-label': 'Put this message away', onclick: () => tell({notice: ''})}, '✕');
  subscribe(changed => {
    if (changed.has('notice')) place.replaceChildren(...(derived.notice ? [make('span', {}, derived.notice), away] : []));
  });
};
