// Reads and writes sheets that are written as satjudge writes them: the names of powers, with orders in codes below. Whatever is
// written in another way is left to satjudge.

const HEADING = /^([A-Z_]+):$/;
const UNIT = '[AF] [A-Z]{3}(/[NSEW]C)?', PLACE = '[A-Z]{3}(/[NSEW]C)?';
const ORDER = new RegExp(`^${UNIT} (H|B|D|R ${PLACE}|- ${PLACE}( VIA)?|[SC] ${UNIT}( - ${PLACE})?)$`);

// `{orders, entries, headings}`: the orders of each power, all of them with their lines, and where those of each begin; null for
// a sheet in which there is anything else.
export const ordersIn = (sheet, powers) => {
  const orders = {}, headings = {}, entries = [];
  let power = null;
  for (const [index, text] of sheet.split('\n').entries()) {
    const order = text.trim();
    if (!order) continue;
    const [, named] = order.match(HEADING) ?? [];
    if (named) {
      if (!(named in powers) || named in headings) return null;
      headings[power = named] = index + 1;
    } else if (power && ORDER.test(order)) {
      (orders[power] ??= []).push(order);
      entries.push({power, order, line: index + 1});
    } else {
      return null;
    }
  }
  return {orders, entries, headings};
};

// The provinces that a unit or an order names, the unit's first: coasts and `VIA` are no provinces.
export const provincesIn = text => text.split(' ').slice(1).filter(word => /^[A-Z]{3}(\/|$)/.test(word) && word !== 'VIA')
  .map(word => word.split('/')[0]);

// The province of a unit, or a centre to build in.
export const provinceOf = what => what.split(' ').at(-1).split('/')[0];

const KINDS = {H: 'hold', '-': 'move', S: 'supporthold', C: 'convoy', R: 'retreat', B: 'build'};

// The kind of an order, and the provinces behind that of its unit.
export const spelled = (order, phase) => {
  if (order === 'WAIVE') return {kind: 'decline', presses: []};
  const [, , sign, ...more] = order.split(' ');
  const kind = sign === 'S' && more.includes('-') ? 'supportmove' : KINDS[sign] ?? (phase.endsWith('A') ? 'remove' : 'disband');
  return {kind, presses: provincesIn(order).slice(1)};
};

// The sheet with an order in place of that of the unit in this province; without one if the order is empty.
export const withOrder = (sheet, {entries, headings}, power, province, order) => {
  const lines = sheet.split('\n');
  const there = entries.find(one => one.power === power && provincesIn(one.order)[0] === province);
  if (there) lines.splice(there.line - 1, 1, ...(order ? [order] : []));
  else if (order && power in headings) lines.splice(Math.max(headings[power], ...entries.filter(one => one.power === power).map(({line}) => line)), 0, order);
  else if (order) lines.splice(lines.findLastIndex(line => line.trim()) + 1, Infinity, ...(sheet.trim() ? [''] : []), `${power}:`, order);
  const text = lines.join('\n').trimEnd();
  return text && `${text}\n`;
};
