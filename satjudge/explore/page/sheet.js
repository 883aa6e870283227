// The order sheet: typing in it moves the map, and the map writes into it. Errors stand at their lines.
import {make} from './dom.js';
import {changeNode, derived, node, subscribe} from './store.js';

export const showSheet = () => {
  const text = make('textarea', {spellcheck: 'false', 'aria-label': 'Order sheet', 'aria-describedby': 'faults', rows: '24'});
  const faults = make('ol', {id: 'faults', role: 'alert'});
  text.addEventListener('input', () => changeNode({sheet: text.value}));
  document.querySelector('#sheet').append(make('h2', {}, 'Orders'), text, faults);
  subscribe(changed => {
    if ((changed.has('nodes') || changed.has('at')) && node() && text.value !== node().sheet) text.value = node().sheet;
    if (!changed.has('judged') && !changed.has('fault')) return;
    const found = [...(derived.judged?.errors ?? []), ...(derived.fault ? [derived.fault] : [])];
    faults.replaceChildren(...found.map(({line, message, suggestion}) => make('li', {},
      line ? `line ${line}: ` : '', message, suggestion ? ` (${suggestion})` : '')));
  });
};
