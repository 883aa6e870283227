// What became of each order, by power; pressing an order shows why, and lights what is to blame on the map.
import {make} from './dom.js';
import {derived, state, subscribe, tell} from './store.js';
import {makeWhy} from './why.js';

const SIGNS = {'': '✓', bad: '✗', void: '⊘'};
const keyOf = ({power, order}) => `${power}\n${order}`;
const same = (one, other) => Boolean(one && other) && keyOf(one) === keyOf(other);

const nameOf = power => derived.start?.powers[power] ?? power;

// What the order came to, and what to set beside it: under the last rulebook, or as the rulebook rules.
const verdictOf = one => {
  const seen = derived.seen?.orders.find(other => same(other, one));
  const shown = seen ?? one;
  if (seen && seen.verdict !== one.verdict) return {...shown, beside: `ruled: ${one.verdict}`, kind: 'differs'};
  const before = derived.before?.get(keyOf(one));
  if (before && before !== one.verdict) return {...shown, beside: `was: ${before}`, kind: 'amber'};
  return {...shown, beside: '', kind: ''};
};

export const showVerdicts = ({ask}) => {
  const why = makeWhy(ask);
  const list = make('div', {class: 'powers'});
  const head = make('p', {class: 'headline', role: 'status'});
  document.querySelector('#verdicts').append(make('h2', {}, 'Verdicts'), head, list);

  const row = one => {
    const {verdict, sign, beside, kind} = verdictOf(one);
    const open = same(derived.asked, one);
    const button = make('button', {
      type: 'button', class: `order ${sign || 'good'} ${kind}`, 'aria-expanded': String(open), 'data-order': one.order,
      onclick: () => tell({asked: open ? null : {power: one.power, order: one.order}}),
      onpointerenter: () => tell({lit: {power: one.power, order: one.order}}),
      onpointerleave: () => tell({lit: null}),
    }, make('span', {class: 'sign', 'aria-hidden': 'true'}, SIGNS[sign]), make('span', {class: 'text'}, one.order),
    make('span', {class: 'verdict'}, verdict), beside && make('span', {class: 'beside'}, beside));
    return make('li', {}, button, one.illegal && make('p', {class: 'illegal'}, one.illegal), open && why.element);
  };

  const block = (power, orders, idle) => make('section', {class: 'power', 'aria-label': nameOf(power)},
    make('h3', {}, nameOf(power)), make('ul', {class: 'orders'}, ...orders.map(row)),
    idle.length > 0 && make('p', {class: 'idle'}, `no order: ${idle.join(', ')}`));

  const show = () => {
    const {judged} = derived;
    const orders = judged?.orders ?? [];
    const missing = judged?.missing ?? {};
    const powers = [...new Set([...orders.map(one => one.power), ...Object.keys(missing)])];
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.order : null;
    list.replaceChildren(...powers.map(power => block(power, orders.filter(one => one.power === power), missing[power] ?? [])),
      ...leaving(judged));
    list.querySelector(`[data-order="${CSS.escape(focused ?? '')}"]`)?.focus({preventScroll: true});
    head.textContent = headline(judged);
  };

  subscribe(changed => {
    if (changed.has('judged') && derived.asked && !derived.judged?.orders.some(one => same(one, derived.asked))) {
      return tell({asked: null});
    }
    if (changed.has('asked') || (derived.asked && (changed.has('judged') || changed.has('view')))) why.ask(derived.asked);
    if (changed.has('judging')) list.setAttribute('aria-busy', String(derived.judging));
    if (['judged', 'seen', 'before', 'asked', 'start'].some(name => changed.has(name))) show();
  });
};

const leaving = judged => Object.entries((derived.seen ?? judged)?.dislodged ?? {}).flatMap(([power, units]) =>
  Object.entries(units).map(([unit, places]) => make('p', {class: 'leaving'}, `${nameOf(power)} ${unit} is dislodged; it may `
    + (places.length ? `retreat to ${places.join(', ')}` : 'go nowhere and is destroyed'))));

const headline = judged => {
  if (!judged) return '';
  if (judged.unresolved) return judged.unresolved;
  const {resolutions, rulings} = judged;
  if (resolutions == null || (resolutions === 1 && !rulings.length)) return '';
  const many = resolutions === 0 ? 'no consistent resolution' : resolutions === 1 ? 'one consistent resolution' : `${resolutions} consistent resolutions`;
  const rules = [...new Set(rulings.map(ruling => ruling.name))].join(', ');
  return `${many}${rules ? `; decided by ${rules}` : ''}`;
};

// Verdicts under the rulebook before: kept when the rulebook changes, dropped when anything else does.
export const rememberVerdicts = () => {
  let kept = null;
  subscribe(changed => {
    const others = changed.has('nodes') || changed.has('at');
    if (changed.has('rules') && !others) {
      kept = new Map((derived.judged?.orders ?? []).map(one => [keyOf(one), one.verdict]));
    } else if (others) {
      kept = null;
      if (derived.before) tell({before: null});
    } else if (changed.has('judged') && kept) {
      const before = kept;
      kept = null;
      tell({before});
    }
  });
};
