// Sets the units of a position on a picture of the map that was drawn before: what the map shows until satjudge draws it.
import {readSvg} from './dom.js';

const SIZED = [['.names', 'font-size'], ['.areas', 'stroke-width'], ['.centre circle', 'r'], ['.centre text', 'font-size']];
const numberOf = element => [...element.classList].find(name => /^p\d+$/.test(name));
const kindOf = unit => unit[0] === 'A' ? 'army' : 'fleet';

// `picture` is the text of a picture with an army, a fleet and an owned centre of each power; `provinces` are those of `start`.
// Returns the text of the picture of a position, with marks that are so many times as large as usual.
export const onGround = (picture, provinces, {units, dislodged = {}, centers = {}, phase}, wanted) => {
  const root = readSvg(picture), panel = root.querySelector('svg.panel');
  const marks = Number(panel.dataset.marks ?? 1), size = wanted / marks;
  const owners = new Map(Object.entries(centers).flatMap(([power, of]) => of.map(centre => [centre, power])));
  const pieces = new Map(), numbers = new Map();
  for (const piece of panel.querySelectorAll('.unit[data-unit]')) {
    pieces.set(`${piece.dataset.power} ${kindOf(piece.dataset.unit)}`, piece);
    numbers.set(piece.dataset.power, numberOf(piece));
  }
  panel.dataset.phase = phase;
  panel.dataset.ground = '';
  ownAreas(panel, owners, numbers);
  ownCentres(panel, owners, numbers);
  for (const [part, name] of SIZED) for (const one of panel.querySelectorAll(part)) one.setAttribute(name, (one.getAttribute(name) * size).toFixed(2));
  const waiting = Object.entries(dislodged).flatMap(([power, of]) => Object.keys(of).map(unit => ({power, unit, waits: true})));
  const standing = Object.entries(units).flatMap(([power, of]) => of.map(unit => ({power, unit})));
  panel.querySelector('.units').replaceChildren(...[...standing, ...waiting].map(({power, unit, waits}) => {
    const piece = pieces.get(`${power} ${kindOf(unit)}`).cloneNode(true);
    const place = unit.split(' ')[1], [province, coast] = place.split('/');
    const {at, beside, coastal} = provinces[province];
    const [x, y] = waits ? beside : (coast && coastal[place]) ?? at;
    piece.setAttribute('transform', `translate(${(x / marks).toFixed(1)},${(y / marks).toFixed(1)})scale(${((waits ? .85 : 1) * size).toFixed(3)})`);
    Object.assign(piece.dataset, {unit, province});
    piece.querySelector('title').textContent = `${power}: ${unit}`;
    return piece;
  }));
  return new XMLSerializer().serializeToString(root);
};

const ownAreas = (panel, owners, numbers) => {
  const style = panel.querySelector('path.province.owned').getAttribute('style');
  for (const area of panel.querySelectorAll('path.province')) {
    const number = numbers.get(owners.get(area.dataset.province));
    area.classList.remove('owned', numberOf(area));
    area.removeAttribute('style');
    if (!number) continue;
    area.classList.add('owned', number);
    area.setAttribute('style', style.replace(/p\d+\)/, `${number})`));
  }
};

const ownCentres = (panel, owners, numbers) => {
  const all = [...panel.querySelectorAll('g.centre[data-province]')];
  const free = all.find(one => !one.querySelector('.mark')).cloneNode(true);
  const patterns = new Map(all.filter(one => one.querySelector('.mark')).map(one => [numberOf(one.querySelector('circle')), one.cloneNode(true)]));
  for (const one of all) {
    const pattern = (patterns.get(numbers.get(owners.get(one.dataset.province))) ?? free).cloneNode(true);
    const [from, to] = [pattern, one].map(group => group.querySelector('circle'));
    const [x, y] = ['cx', 'cy'].map(name => Number(to.getAttribute(name)));
    const mark = pattern.querySelector('.mark');
    if (mark) {
      mark.setAttribute('y', (y + Number(mark.getAttribute('y')) - Number(from.getAttribute('cy'))).toFixed(1));
      mark.setAttribute('x', x);
    }
    from.setAttribute('cx', x);
    from.setAttribute('cy', y);
    one.replaceChildren(...pattern.childNodes);
  }
};
