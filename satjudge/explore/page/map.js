// The map in the middle.
import {readSvg} from './dom.js';
import {derived, subscribe} from './store.js';

export const showMap = () => {
  const frame = document.querySelector('#map');
  subscribe(changed => {
    if (!changed.has('picture')) return;
    const drawn = derived.picture && readSvg(derived.picture);
    frame.replaceChildren(...(drawn ? [drawn] : []));
  });
};
