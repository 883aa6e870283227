// Above: what is at hand and in which phase; on a phone the drawer below, with the orders and the details.
import {make} from './dom.js';
import {brand, icon} from './icons.js';
import {derived, node, otherPhases, state, subscribe} from './store.js';
import {phaseInWords} from './timeline.js';
import {pathTo} from './tree.js';

export const showBar = () => {
  document.querySelector('.brand').prepend(brand());
  const name = make('span', {class: 'name'});
  const phase = make('span', {class: 'phase-name'});
  const short = make('span', {class: 'short'});
  document.querySelector('#game').append(phase, short, name);
  subscribe(changed => {
    if (!node() || !otherPhases(changed)) return;
    const {position} = node();
    phase.textContent = phaseInWords(position.phase);
    short.textContent = position.phase;
    name.textContent = pathTo(state.nodes, state.at)[0].name || (position.map === 'standard' ? '' : position.map);
    name.title = name.textContent;
    document.title = [name.textContent, phase.textContent, 'satjudge'].filter(Boolean).join(' · ');
  });
  document.body.classList.toggle('embedded', new URLSearchParams(location.search).has('embed'));
  showDrawer();
};

// The drawer of a phone: pulled up by hand or by a press, put down by one below its top.
const showDrawer = () => {
  const drawer = document.querySelector('#drawer'), handle = document.querySelector('#handle');
  const stops = () => [68, Math.round(innerHeight * .46), Math.round(innerHeight * .86)];
  let at = 0;
  const go = stop => {
    at = stop;
    drawer.style.setProperty('--pulled', `${stops()[stop]}px`);
    document.querySelector('#middle').style.setProperty('--covered', `${stops()[Math.min(stop, 1)]}px`);  // the map has what is left
    pull.classList.toggle('pulled', stop === 2);
    pull.setAttribute('aria-label', stop === 2 ? 'Close the drawer' : 'Enlarge the drawer');
    for (const button of sides) button.setAttribute('aria-expanded', String(stop > 0));
  };
  const side = which => {
    drawer.dataset.side = which;
    for (const button of sides) button.setAttribute('aria-pressed', String(button.dataset.side === which));
  };
  const sides = [['left', 'Orders'], ['right', 'Details']].map(([which, label]) => make('button', {type: 'button', 'data-side': which,
    onclick: () => {
      go(at && drawer.dataset.side === which ? 0 : at || 1);
      side(which);
    }}, label));
  const pull = make('button', {type: 'button', class: 'square quiet pull', onclick: () => go((at + 1) % 3)}, icon('down'));
  handle.append(make('div', {class: 'segments', role: 'group', 'aria-label': 'Drawer'}, ...sides),
    pull);
  side('left');
  go(0);
  let from = null;
  handle.addEventListener('pointerdown', event => { from = {y: event.clientY, height: drawer.offsetHeight}; });
  handle.addEventListener('pointermove', event => {
    if (!from || Math.abs(event.clientY - from.y) < 6) return;
    handle.setPointerCapture(event.pointerId);
    drawer.classList.add('dragged');
    drawer.style.setProperty('--pulled', `${Math.min(stops()[2], Math.max(stops()[0], from.height + from.y - event.clientY))}px`);
  });
  const drop = () => {
    if (drawer.classList.contains('dragged')) {
      const nearest = stops().map((height, stop) => [Math.abs(height - drawer.offsetHeight), stop]).sort(([one], [other]) => one - other)[0][1];
      drawer.classList.remove('dragged');
      go(nearest);
    }
    from = null;
  };
  handle.addEventListener('pointerup', drop);
  handle.addEventListener('pointercancel', drop);
  // What is selected in the list is explained at the other side.
  subscribe(changed => {
    if (changed.has('asked') && changed.size === 1) side(derived.asked ? 'right' : 'left');
    if (changed.has('details')) {
      side('right');
      go(at || 1);
    }
  });
};
