// The order sheet: typing in it moves the map, and the map writes into it. Verdicts and errors stand at their lines.
import {make} from './dom.js';
import {changeNode, derived, node, subscribe} from './store.js';

const SIGNS = {'': '✓', bad: '✗', void: '⊘'};

export const showSheet = () => {
  const text = make('textarea', {spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-label': 'Order sheet',
    'aria-describedby': 'faults', rows: '26', placeholder: 'FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR'});
  const gutter = make('div', {class: 'gutter', 'aria-hidden': 'true'});
  const faults = make('ol', {id: 'faults', class: 'faults'});
  const idle = make('div', {class: 'missing'});
  text.addEventListener('input', () => changeNode({sheet: text.value}));
  text.addEventListener('scroll', () => { gutter.scrollTop = text.scrollTop; });
  document.querySelector('#sheet').append(make('h2', {}, 'Orders'), make('div', {class: 'paper'}, gutter, text), make('div', {role: 'alert'}, faults), idle);

  const goTo = ({line, column}) => {
    const start = text.value.split('\n').slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + (column ?? 1) - 1;
    text.focus();
    text.setSelectionRange(start, Math.max(start, text.value.slice(start).search(/\s|$/) + start));
  };

  const mark = () => {
    const marks = new Map();
    for (const {line, sign, verdict} of derived.judged?.orders ?? []) marks.set(line, {sign: SIGNS[sign], title: verdict, kind: sign || 'good'});
    for (const {line, message} of derived.judged?.errors ?? []) marks.set(line, {sign: '!', title: message, kind: 'error'});
    const lines = text.value.split('\n').map((_, index) => {
      const {sign = '', title = null, kind = ''} = marks.get(index + 1) ?? {};
      return make('span', {class: `mark ${kind}`, title}, sign || '\u00a0');
    });
    gutter.replaceChildren(...lines);
    gutter.scrollTop = text.scrollTop;
  };

  const tellFaults = () => {
    const found = [...(derived.judged?.errors ?? []), ...(derived.fault ? [derived.fault] : [])];
    faults.replaceChildren(...found.map(fault => make('li', {}, fault.line
      ? make('button', {type: 'button', onclick: () => goTo(fault)}, `line ${fault.line}: ${fault.message}`) : fault.message,
    fault.suggestion ? ` (${fault.suggestion})` : '')));
    text.setAttribute('aria-invalid', String(found.length > 0));
  };

  // Where nothing is written yet, what may be ordered is offered as lines to begin with.
  const tellIdle = () => {
    const moves = node()?.position.phase.endsWith('M');
    const missing = Object.entries(derived.judged?.missing ?? {});
    const begun = text.value.trim() !== '';
    const button = (label, write) => make('button', {type: 'button', onclick: () => changeNode({sheet: write()})}, label);
    idle.replaceChildren(...(moves && missing.length ? [button(begun ? 'Let the others hold' : 'All units hold', () => withHolds(text.value, missing))] : []));
  };

  subscribe(changed => {
    if ((changed.has('nodes') || changed.has('at')) && node() && text.value !== node().sheet) text.value = node().sheet;
    if (!['judged', 'fault', 'at', 'nodes'].some(name => changed.has(name))) return;
    mark();
    tellFaults();
    tellIdle();
  });
};

// The sheet with a hold for every unit without an order, below its power.
const withHolds = (sheet, missing) => {
  const {headings, orders} = derived.judged;
  const lines = sheet.split('\n');
  const last = power => Math.max(headings[power] ?? 0, ...orders.filter(one => one.power === power).map(one => one.line));
  const there = missing.filter(([power]) => power in headings).sort(([one], [other]) => last(other) - last(one));
  for (const [power, units] of there) lines.splice(last(power), 0, ...units.map(unit => `${unit} H`));
  const added = missing.filter(([power]) => !(power in headings)).map(([power, units]) => [`${power}:`, ...units.map(unit => `${unit} H`), ''].join('\n'));
  return [lines.join('\n').trimEnd(), ...added].filter(Boolean).join('\n\n').trimEnd() + '\n';
};
