// The order sheet: typing in it moves the map, and the map writes into it. Verdicts and errors stand at their lines.
import {make} from './dom.js';
import {icon} from './icons.js';
import {derived, node, subscribe, typeSheet} from './store.js';

const SIGNS = {'': '✓', bad: '✗', void: '⊘'};
const LONGEST = 50_000;  // characters; far more would freeze the browser

const tooLong = length => `an order sheet has at most ${LONGEST.toLocaleString('en')} characters, and this would be `
  + `${length.toLocaleString('en')}: nothing was taken; “Open” takes longer files`;

export const showSheet = () => {
  const text = make('textarea', {spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-label': 'Order sheet',
    'aria-describedby': 'faults', rows: '26', readonly: true, placeholder: 'FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR'});
  const marks = make('div');
  const gutter = make('div', {class: 'gutter', 'aria-hidden': 'true'}, marks);
  const faults = make('ol', {id: 'faults', class: 'faults'});
  let refused = null;  // why a text was not taken
  text.addEventListener('beforeinput', event => {
    const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    const length = text.value.length - (text.selectionEnd - text.selectionStart) + added.length;
    const before = refused;
    refused = length > LONGEST && length > text.value.length ? {message: tooLong(length)} : null;
    if (refused) event.preventDefault();
    if (refused || before) tellFaults();
  });
  text.addEventListener('input', () => typeSheet(text.value));
  // The text has less height than its marks where it has a scroll bar below, so that these cannot be scrolled as far: they are moved.
  const follow = () => { marks.style.transform = `translateY(${-text.scrollTop}px)`; };
  text.addEventListener('scroll', follow);
  document.querySelector('#sheet').append(make('div', {class: 'paper'}, gutter, text));
  document.querySelector('#faulty').append(faults);
  const side = showSides();

  const goTo = ({line, column}) => {
    side('text');
    const start = text.value.split('\n').slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + (column ?? 1) - 1;
    text.focus();
    text.setSelectionRange(start, Math.max(start, text.value.slice(start).search(/\s|$/) + start));
  };

  const mark = () => {
    const found = new Map();
    for (const {line, sign, verdict} of derived.judged?.orders ?? []) found.set(line, {sign: SIGNS[sign], title: verdict, kind: sign || 'good'});
    for (const {line, message} of derived.judged?.errors ?? []) found.set(line, {sign: '!', title: message, kind: 'error'});
    const lines = linesBefore(text.value, derived.judged?.sheet ?? text.value).map(line => {
      const {sign = '', title = null, kind = ''} = found.get(line) ?? {};
      return make('span', {class: `mark ${kind}`, title}, sign || '\u00a0');
    });
    marks.replaceChildren(...lines);
    follow();
  };

  const tellFaults = () => {
    const found = [refused, ...(derived.judged?.errors ?? []), derived.fault].filter(Boolean);
    faults.replaceChildren(...found.map(fault => make('li', {}, fault.line
      ? make('button', {type: 'button', onclick: () => goTo(fault)}, `line ${fault.line}: ${fault.message}`) : fault.message,
    fault.suggestion ? ` (${fault.suggestion})` : '')));
    text.setAttribute('aria-invalid', String(found.length > 0));
  };

  let position = null;  // of the phase whose sheet is shown
  const showText = changed => {
    const {sheet, position: next} = node();
    if (next !== position) text.value = sheet;
    else if (!changed.has('typed')) rewrite(text, sheet, changed.has('stepped'));
    position = next;
    text.readOnly = false;  // nothing can be typed where there is no phase yet
  };

  subscribe(changed => {
    if ((changed.has('nodes') || changed.has('at')) && node()) showText(changed);
    if (changed.has('judging')) gutter.setAttribute('aria-busy', String(derived.judging));
    if (changed.has('at')) refused = null;
    if (!['judged', 'fault', 'at', 'nodes'].some(name => changed.has(name))) return;
    mark();
    tellFaults();
  });
};

// The orders as a list or as a text: `side('text')` shows one of them. F2 changes between the two.
const showSides = () => {
  const sides = {list: document.querySelector('#verdicts'), text: document.querySelector('#sheet')};
  const side = which => {
    for (const [name, section] of Object.entries(sides)) section.hidden = name !== which;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.side === which));
  };
  const buttons = [['list', 'List'], ['text', 'Text']].map(([name, label]) => make('button', {
    type: 'button', 'data-side': name, title: 'F2 changes between list and text', onclick: () => side(name),
  }, icon(name), label));
  document.querySelector('#orders-head').append(make('h2', {}, 'Orders'), make('div', {class: 'segments', role: 'group', 'aria-label': 'Orders as'}, ...buttons));
  document.addEventListener('keydown', event => {
    if (event.key !== 'F2' || event.target.closest('dialog')) return;
    event.preventDefault();
    side(sides.text.hidden ? 'text' : 'list');
    if (!sides.text.hidden) sides.text.querySelector('textarea').focus();
  });
  side('list');
  return side;
};

// Makes the text of a field another where it differs, so that the caret stays at the letters where it is; or goes behind what is
// written, as browsers have it after undo.
const rewrite = (field, written, behind) => {
  const before = field.value, after = written.replace(/\r\n?/g, '\n');
  if (before === after) return;
  const {head, tail} = sameEnds(before, after);
  const from = before.length - tail, to = after.length - tail;
  const moved = at => behind ? to : at <= head ? at : at < from ? to : at - from + to;
  const caret = [moved(field.selectionStart), moved(field.selectionEnd), field.selectionDirection];
  field.setRangeText(after.slice(head, to), head, from);
  if (field === document.activeElement) field.setSelectionRange(...caret);  // which takes the focus in some browsers
};

// How many of its parts two texts or lists have in common at the beginning, and then at the end.
const sameEnds = (one, other) => {
  const least = Math.min(one.length, other.length);
  let head = 0, tail = 0;
  while (head < least && one[head] === other[head]) head++;
  while (tail < least - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return {head, tail};
};

// For each line of a text its number in the text before, or null if it is new or changed.
const linesBefore = (text, before) => {
  const now = text.split('\n'), then = before.split('\n');
  const {head, tail} = sameEnds(now, then);
  return now.map((_, index) => index < head ? index + 1 : index >= now.length - tail ? index + 1 + then.length - now.length : null);
};
