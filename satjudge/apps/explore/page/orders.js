// The orders by power, each with its verdict at its end: pressed it is explained, edited it is another. Units without an order
// stand among them. Where an order comes to something else than before, or than it is ruled, that is told below it.
import {make} from './dom.js';
import {icon} from './icons.js';
import {changeNode, derived, node, question, state, subscribe, tell} from './store.js';
import {withHolds} from './holds.js';

const SIGNS = {'': 'good', bad: 'bad', void: 'void'};
const keyOf = ({power, order}) => `${power}\n${order}`;
export const same = (one, other) => Boolean(one && other) && keyOf(one) === keyOf(other);

export const nameOf = power => derived.start?.powers[power] ?? power;
export const swatch = power => make('span', {class: 'swatch', style: `--power: ${derived.start?.colours?.[power] ?? 'transparent'}`, 'aria-hidden': 'true'});

// What the order came to, and what to set beside it: under the last rulebook, or as the rulebook rules.
export const verdictOf = one => {
  const seen = derived.seen?.orders.find(other => same(other, one));
  const shown = seen ?? one;
  if (seen && seen.verdict !== one.verdict) return {...shown, beside: `ruled: ${one.verdict}`, kind: 'differs'};
  const before = derived.before?.get(keyOf(one));
  if (before && before !== one.verdict) return {...shown, beside: `was: ${before}`, kind: 'amber'};
  return {...shown, beside: '', kind: ''};
};

export const verdictShown = ({verdict, sign}) => make('span', {class: `verdict ${sign || 'good'}`}, verdict, icon(SIGNS[sign]));

export const showOrders = ({ask}) => {
  const list = make('div', {class: 'powers'});
  const foot = make('div', {class: 'foot'});
  document.querySelector('#verdicts').append(list, foot);
  let editing = null;  // {power, province} of the line that is edited

  // Writes what was typed in the line of a unit into the sheet.
  const write = async ({power, province, text}) => {
    editing = null;
    const at = state.at, typed = text.trim();
    try {
      const sheet = await ask(question('give', {power, what: province, order: typed}));
      if (state.at === at) changeNode({sheet});
    } catch (error) {
      tell({fault: error.fault ?? {message: String(error)}});
    }
    show();
  };
  const edit = (power, province) => {
    editing = {power, province};
    show();
    const field = list.querySelector('.editing input');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  };
  const legal = (power, province) => (derived.choices ?? []).filter(one => one.power === power && one.province === province)
    .flatMap(({choices}) => choices.map(({order}) => order));
  const field = (power, province, text) => {
    const known = make('datalist', {id: 'legal-orders'}, ...legal(power, province).map(order => make('option', {value: order})));
    const input = make('input', {value: text, list: 'legal-orders', 'aria-label': `Order of ${nameOf(power)} in ${province}`,
      spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', onkeydown: event => {
        if (event.key === 'Enter') write({power, province, text: input.value});
        else if (event.key === 'Escape') {
          editing = null;
          show();
          list.querySelector(`[data-power="${CSS.escape(power)}"][data-province="${CSS.escape(province)}"]`)?.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      }, onblur: () => {
        if (!editing || editing.province !== province) return;
        if (input.value.trim() !== text.trim()) write({power, province, text: input.value});
        else {
          editing = null;
          show();
        }
      }});
    return make('li', {class: 'editing'}, input, known);
  };
  const isEdited = (power, province) => editing?.power === power && editing.province === province;
  const pencil = (power, province, text) => make('button', {type: 'button', class: 'square quiet pencil', 'aria-label': `Edit ${text}`, title: 'Edit (E)',
    tabindex: '-1', onclick: () => edit(power, province)}, icon('edit'));
  const byKeys = (power, province) => event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...list.querySelectorAll('button.order')];
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) rows[rows.indexOf(event.currentTarget) + step]?.focus();
    else if (event.key.toLowerCase() === 'e') edit(power, province);
    else if (event.key === 'Delete' || event.key === 'Backspace') write({power, province, text: ''});
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const row = one => {
    const {power, province, order} = one;
    if (isEdited(power, province)) return field(power, province, order);
    const {verdict, sign, beside, kind} = verdictOf(one);
    const open = same(derived.asked, one);
    const button = make('button', {
      type: 'button', class: `order ${sign || 'good'} ${kind}`, 'aria-expanded': String(open), 'data-order': order, 'data-power': power, 'data-province': province,
      onclick: () => tell({asked: open ? null : {power, order}}), ondblclick: () => edit(power, province),
      onkeydown: byKeys(power, province),
      onpointerenter: () => tell({lit: {power, order}}), onpointerleave: () => tell({lit: null}),
    }, make('span', {class: 'text'}, order), verdictShown({verdict, sign}), beside && make('span', {class: 'beside'}, beside));
    return make('li', {}, button, pencil(power, province, order), one.illegal && make('p', {class: 'illegal'}, one.illegal),
      verdict === 'invalid' && make('p', {class: 'illegal'}, 'no matching order (yet)'));
  };
  const idle = (power, unit) => {
    const province = unit.split(' ').at(-1).split('/')[0];
    if (isEdited(power, province)) return field(power, province, `${unit} `);
    return make('li', {}, make('button', {
      type: 'button', class: 'order idle', 'data-power': power, 'data-province': province, onclick: event => {
        if (event.pointerType === 'touch' || matchMedia('(pointer: coarse)').matches) tell({menu: province});  // no keyboard over the map
        else edit(power, province);
      }, onkeydown: byKeys(power, province),
    }, make('span', {class: 'text'}, unit), make('span', {class: 'verdict none'}, 'no order'), retreats(power, unit)));
  };

  const block = (power, orders, missing) => make('section', {class: 'power', 'aria-label': nameOf(power)},
    make('h3', {}, swatch(power), nameOf(power), make('span', {class: 'count'}, `${orders.length} of ${orders.length + missing.reduce((sum, what) => sum + ordersIn(what), 0)}`)),
    make('ul', {class: 'orders'}, ...inPlace(power, orders, missing).map(one => typeof one === 'string' ? idle(power, one) : row(one))),
    ...removed(power), ...leaving(power));

  const show = () => {
    if (editing && list.contains(document.activeElement) && document.activeElement.matches('input') && isEdited(editing.power, editing.province)) return;
    const {judged} = derived;
    const orders = judged?.orders ?? [];
    const missing = judged?.missing ?? {};
    const gone = (derived.seen ?? judged)?.dislodged ?? {};
    const known = Object.keys(derived.start?.powers ?? {});
    const powers = [...new Set([...orders.map(one => one.power), ...Object.keys(missing), ...Object.keys(gone)])]
      .sort((one, other) => known.indexOf(one) - known.indexOf(other));
    const focused = list.contains(document.activeElement) ? {...document.activeElement.dataset} : null;
    const scrolled = list.scrollTop;
    list.replaceChildren(...powers.map(power => block(power, orders.filter(one => one.power === power), missing[power] ?? [])));
    if (judged && !powers.length) list.append(make('p', {class: 'none'}, 'No orders are possible in this phase.'));
    list.scrollTop = scrolled;
    if (focused?.province) list.querySelector(`button.order[data-power="${CSS.escape(focused.power)}"][data-province="${CSS.escape(focused.province)}"]`)?.focus({preventScroll: true});
    showFoot(missing);
  };

  // Where nothing is written yet, what may be ordered is offered as lines to begin with.
  const showFoot = missing => {
    const idle = Object.entries(missing);
    const moves = node()?.position.phase.endsWith('M');
    const label = node()?.sheet.trim() ? 'All others hold' : 'All units hold';
    foot.replaceChildren(...(moves && idle.length ? [make('button', {type: 'button', disabled: derived.judging,
      onclick: () => changeNode({sheet: withHolds(node().sheet, idle)})}, icon('hold'), label)] : []));
  };

  subscribe(changed => {
    if (changed.has('judged') && derived.asked && !derived.judged?.orders.some(one => same(one, derived.asked))) {
      return tell({asked: null});
    }
    if (changed.has('at')) editing = null;
    if (changed.has('judging')) {
      list.setAttribute('aria-busy', String(derived.judging));
      showFoot(derived.judged?.missing ?? {});
    }
    if (['judged', 'seen', 'before', 'asked', 'start', 'at'].some(name => changed.has(name))) show();
  });
};

// In a retreat phase: where a unit may go.
const retreats = (power, unit) => {
  const places = node().position.dislodged?.[power]?.[unit];
  return places?.length > 0 && make('span', {class: 'beside'}, `may retreat to ${places.join(', ')}`);
};

// How many orders are missing: one for a unit, several for `2 builds`.
const ordersIn = what => parseInt(what, 10) || 1;

const provinceOf = unit => unit.split(' ')[1]?.split('/')[0];

// The orders and the units without one, each where its unit stands in the position, so that giving orders moves no line.
const inPlace = (power, orders, missing) => {
  const {units, dislodged} = node().position;
  const places = [...units[power] ?? [], ...Object.keys(dislodged?.[power] ?? {})].map(provinceOf);
  const rank = one => {
    const found = places.indexOf(typeof one === 'string' ? provinceOf(one) : one.province);
    return found < 0 ? places.length : found;
  };
  return [...orders, ...missing].sort((one, other) => rank(one) - rank(other));
};

// In winter: the units that are gone afterwards without an order to remove them.
const removed = power => {
  const {position} = node(), {judged} = derived;
  if (!position.phase.endsWith('A') || !judged || judged.unresolved) return [];
  const gone = (position.units[power] ?? []).filter(unit => !judged.units[power]?.includes(unit)
    && !judged.orders.some(one => one.power === power && one.province === provinceOf(unit)));
  return gone.map(unit => make('p', {class: 'leaving'}, `${unit} is removed unless you choose another unit`));
};

const leaving = power => Object.entries((derived.seen ?? derived.judged)?.dislodged?.[power] ?? {}).map(([unit, places]) =>
  make('p', {class: 'leaving'}, `${unit} is dislodged; it ` + (places.length ? `may retreat to ${places.join(', ')}, or is disbanded` : 'has no retreat and is destroyed')));

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
