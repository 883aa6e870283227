// What is selected, at the right: an order with its verdict and the reasons; while nothing is, what the position is about.
import {make} from './dom.js';
import {icon} from './icons.js';
import {derived, node, otherPhases, state, subscribe, tell} from './store.js';
import {nameOf, same, swatch, verdictOf, verdictShown} from './orders.js';
import {pathTo} from './tree.js';
import {makeWhy} from './why.js';

export const showSelected = ({ask}) => {
  const why = makeWhy(ask);
  const head = make('p', {class: 'headline', role: 'status'});
  const about = make('p', {class: 'about'});
  const card = make('article', {class: 'card', hidden: true});
  const tip = make('p', {class: 'tip'}, 'Choose an order to see the reason for its verdict. Press ', make('kbd', {}, '?'), ' for all keys.');
  document.querySelector('#selected').append(head, card, tip, about);

  const show = () => {
    const one = derived.judged?.orders.find(other => same(other, derived.asked));
    card.hidden = !one;
    tip.hidden = Boolean(one);
    about.hidden = Boolean(one) || !about.textContent;
    if (!one) return;
    const {verdict, sign, beside, kind} = verdictOf(one);
    card.replaceChildren(make('header', {}, swatch(one.power), make('h2', {}, nameOf(one.power)),
      make('button', {type: 'button', class: 'square quiet', 'aria-label': 'Deselect this order', onclick: () => tell({asked: null})}, icon('close'))),
    make('p', {class: 'of'}, make('b', {}, one.order), verdictShown({verdict, sign})),
    beside && make('p', {class: `beside ${kind}`}, beside), why.element);
  };

  subscribe(changed => {
    if (changed.has('asked') || (derived.asked && (changed.has('judged') || changed.has('view')))) why.ask(derived.asked);
    if (node() && otherPhases(changed)) about.textContent = pathTo(state.nodes, state.at)[0]?.about ?? '';
    if (changed.has('judged')) head.textContent = headline(derived.judged);
    if (['judged', 'seen', 'before', 'asked', 'start', 'at', 'nodes'].some(name => changed.has(name))) show();
  });
};

const headline = judged => {
  if (!judged) return '';
  if (judged.unresolved) return judged.unresolved;
  const {resolutions, rulings} = judged;
  if (resolutions == null || (resolutions === 1 && !rulings.length)) return '';
  const many = resolutions === 0 ? 'no consistent resolution' : resolutions === 1 ? 'one consistent resolution' : `${resolutions} consistent resolutions`;
  const rules = [...new Set(rulings.map(ruling => ruling.name))].join(', ');
  return `${many}${rules ? `; decided by ${rules}` : ''}`;
};
