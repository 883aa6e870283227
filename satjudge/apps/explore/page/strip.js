// On a phone, where the details are in the drawer: what the selected order came to, in one line above the phases.
import {make} from './dom.js';
import {derived, subscribe, tell} from './store.js';
import {same, verdictOf, verdictShown} from './orders.js';

export const makeStrip = () => {
  const button = make('button', {type: 'button', class: 'strip', hidden: true, onclick: () => tell({details: true})});
  const show = () => {
    const one = derived.judged?.orders.find(other => same(other, derived.asked));
    button.hidden = !one;
    if (!one) return;
    const says = derived.shown?.says;
    button.replaceChildren(make('span', {class: 'text'}, make('b', {}, one.order), says ? `: ${says}` : ''), verdictShown(verdictOf(one)));
  };
  subscribe(changed => { if (['judged', 'seen', 'asked', 'shown'].some(name => changed.has(name))) show(); });
  return button;
};
