// Orders that nobody has to write: the sheet with a hold for every unit without an order, below its power.
import {derived} from './store.js';

export const withHolds = (sheet, missing) => {
  const {headings, orders} = derived.judged;
  const lines = sheet.split('\n');
  const last = power => Math.max(headings[power] ?? 0, ...orders.filter(one => one.power === power).map(one => one.line));
  const there = missing.filter(([power]) => power in headings).sort(([one], [other]) => last(other) - last(one));
  for (const [power, units] of there) lines.splice(last(power), 0, ...units.map(unit => `${unit} H`));
  const added = missing.filter(([power]) => !(power in headings)).map(([power, units]) => [`${power}:`, ...units.map(unit => `${unit} H`), ''].join('\n'));
  return [lines.join('\n').trimEnd(), ...added].filter(Boolean).join('\n\n').trimEnd() + '\n';
};
