// Reads and writes sheets in which every line is the name of a power or an order as most people type it: `A PAR - BUR`,
// `par-bur`, `Army Paris to Burgundy`. What is read here means the same to satjudge; whatever is written in any other way is
// left to satjudge.

const KIND = /^(a|army|f|fleet)\s+/;
const TO = /^(?:\s*(?:->?|–|→)\s*|\s+to\s+)/;
const VIA = /^\s+via(?:\s+convoy)?$/;
const HOLD = /^\s+(?:h|holds?)$/, SUPPORT = /^\s+(?:s|supports?)\s+/, CONVOY = /^\s+(?:c|convoys?)\s+/;
const RETREAT = /^\s+(?:r|retreats\s+to)\s+/, BUILD = /^\s+b$/, DISBAND = /^\s+d$/;
const COAST = /^(?:\/([nsew]c)|\(([nsew]c)\))/;

// The lines of a sheet; what ends one belongs to none.
const linesOf = sheet => {
  const lines = sheet.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
  return lines.at(-1) ? lines : lines.slice(0, -1);
};

// What reads sheets on a map, by the names of its provinces and powers: `(sheet, phase) => {orders, entries, headings}`, which are the
// orders of each power, all of them with their lines, and where those of each begin; null for a sheet in which there is anything else.
export const makeReader = ({provinces, powers}) => {
  const codes = new Map(Object.entries(provinces).flatMap(([code, {name}]) => [code, name].map(one => [one.toLowerCase(), code])));
  const named = new Map(Object.entries(powers).flatMap(([power, name]) => [power, name].map(one => [one.toLowerCase(), power])));
  const longest = [...codes.keys()].sort((one, other) => other.length - one.length);
  const places = new RegExp(`^(?:${longest.map(name => name.replace(/[^a-z ]/g, '\\$&')).join('|')})(?![a-z])`);

  // Reads an order in the words of satjudge; null for a text that is written in another way.
  const orderIn = (text, phase) => {
    let rest = text.toLowerCase();
    const next = pattern => {
      const found = rest.match(pattern);
      if (found) rest = rest.slice(found[0].length);
      return found;
    };
    const place = () => {
      const found = next(places);
      const [, ...coast] = found && next(COAST) || [];
      return found && codes.get(found[0]) + coast.filter(Boolean).map(one => `/${one.toUpperCase()}`).join('');
    };
    const behind = (sign, what) => what && `${sign} ${what}`;
    const unit = () => {
      const kind = next(KIND), at = place();
      return kind ? behind(kind[1][0].toUpperCase(), at) : at;
    };
    const target = sign => next(TO) && behind(sign, place());
    const moved = sign => {
      const to = target(sign);
      return to && to + (next(VIA) ? ' VIA' : '');
    };
    const helped = sign => {
      const other = behind(sign, unit()), to = other && target('-');
      return to ? `${other} ${to}` : sign === 'S' && other;
    };
    const done = {  // by the phase: an order of another one is an error, which satjudge tells
      M: () => moved('-') || (next(HOLD) ? 'H' : next(SUPPORT) ? helped('S') : next(CONVOY) && helped('C')),
      R: () => moved('R') || (next(RETREAT) ? behind('R', place()) : next(DISBAND) && 'D'),
      A: () => next(BUILD) ? 'B' : next(DISBAND) && 'D',
    };
    const own = unit(), order = own && behind(own, done[phase.at(-1)]());
    return rest ? null : order;
  };

  return (sheet, phase) => {
    const orders = {}, headings = {}, entries = [];
    let power = null;
    for (const [index, line] of linesOf(sheet).entries()) {
      const text = line.trim(), heading = named.get(text.toLowerCase().replace(/:$/, '')), order = power && orderIn(text, phase);
      if (heading && !(heading in headings)) {
        headings[power = heading] = index + 1;
      } else if (order) {
        (orders[power] ??= []).push(order);
        entries.push({power, order, line: index + 1});
      } else if (text) {
        return null;
      }
    }
    return {orders, entries, headings};
  };
};

// The provinces that a unit or an order names, the unit's first: coasts and `VIA` are no provinces.
export const provincesIn = text => text.split(' ').filter(word => /^[A-Z]{3}(\/|$)/.test(word) && word !== 'VIA')
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
  const lines = linesOf(sheet), last = lines.at(-1);
  const own = entries.filter(one => one.power === power), there = own.find(one => provincesIn(one.order)[0] === province);
  if (there) lines.splice(there.line - 1, 1, ...(order ? [lines[there.line - 1].match(/^\s*/)[0] + order] : []));
  else if (order && power in headings) lines.splice(Math.max(headings[power], ...own.map(({line}) => line)), 0, order);
  else if (order) lines.push(...(last?.trim() ? [''] : []), `${power}:`, order);
  const goesOn = !sheet.endsWith('\n') && last === lines.at(-1);  // somebody types there
  return lines.join('\n') + (lines.length && !goesOn ? '\n' : '');
};
