// What lies over the picture: places to press, rings, lines. It stays where it is when the picture is drawn anew.
import {makeSvg} from './dom.js';

const BADGE = 9, RING = 22;  // pixels
const REACH = 26;  // units of the map around a place that a core's ring goes round

const number = value => value.toFixed(1);
const line = points => `M${points.map(({x, y}) => `${number(x)},${number(y)}`).join('L')}`;

// The corners of the smallest convex area with all points in it (Andrew's chains).
const hull = points => {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const turns = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const chain = list => list.reduce((kept, point) => {
    while (kept.length > 1 && turns(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
    return [...kept, point];
  }, []).slice(0, -1);
  return [...chain(sorted), ...chain(sorted.reverse())];
};

const around = ({x, y}) => Array.from({length: 24}, (_, step) => {
  const turn = step * Math.PI / 12;
  return {x: x + REACH * Math.cos(turn), y: y + REACH * Math.sin(turn)};
});

export const makeOverlay = () => {
  const [areas, cores, lines, rings, marks] = ['areas', 'cores', 'lines', 'rings', 'marks'].map(name => makeSvg('g', {class: name}));
  const root = makeSvg('svg', {
    class: 'over', role: 'application', 'aria-label': 'Map: places to press', 'aria-describedby': 'map-hint map-keys',
  }, areas, cores, lines, rings, marks);
  const buttons = new Map();
  let scale = 1;

  // What is drawn in pixels around a place of the map.
  const placed = (element, at) => {
    element.at = at;
    element.setAttribute('transform', `translate(${number(at.x)},${number(at.y)}) scale(${scale.toFixed(4)})`);
    return element;
  };
  const numbered = (text, x, y) => makeSvg('g', {class: 'badge', transform: `translate(${x},${y})`},
    makeSvg('circle', {r: BADGE}), makeSvg('text', {dy: '.36em'}, text));

  const plate = text => makeSvg('g', {class: 'badge'},
    makeSvg('rect', {x: -(5 + 3.2 * text.length), y: -BADGE, width: 10 + 6.4 * text.length, height: 2 * BADGE, rx: 4}),
    makeSvg('text', {dy: '.36em'}, text));

  const button = () => {
    const made = makeSvg('g', {role: 'button', tabindex: '-1'});
    made.append(makeSvg('title'), makeSvg('circle', {class: 'target', r: 18}), makeSvg('circle', {class: 'ring', r: RING - 2}), makeSvg('circle', {class: 'dot', r: 7}));
    return made;
  };

  return {
    root,
    // Places to press: `{province, at, label, kind, pressed}`; the kind is `unit`, `lit`, `chosen` or `place`. Those that stay
    // keep their elements, and so the focus.
    setMarks: (places, current) => {
      const wanted = new Map(places.map(place => [place.province, place]));
      for (const [province, element] of buttons) {
        if (!wanted.has(province)) {
          element.remove();
          buttons.delete(province);
        }
      }
      for (const {province, at, label, kind, pressed} of places) {
        const element = buttons.get(province) ?? button();
        if (!buttons.has(province)) marks.append(element);
        buttons.set(province, element);
        const attributes = {
          class: `spot ${kind}`, 'data-press': province, 'aria-label': label, 'aria-pressed': String(Boolean(pressed)),
          tabindex: province === current ? '0' : '-1',
        };
        for (const [name, value] of Object.entries(attributes)) {
          if (element.getAttribute(name) !== value) element.setAttribute(name, value);
        }
        if (element.firstChild.textContent !== label) element.firstChild.textContent = label;
        placed(element, at);
      }
    },
    // Marks the place over which something is dragged.
    aim: province => {
      for (const [code, element] of buttons) element.classList.toggle('aimed', code === province);
    },
    focus: province => buttons.get(province)?.focus({preventScroll: true}),
    // Provinces that are lit: `{outline, kind}`.
    setAreas: (marks, found) => {
      areas.setAttribute('transform', `scale(${marks})`);
      areas.replaceChildren(...found.map(({outline, kind}) => makeSvg('path', {class: `area ${kind}`, d: outline})));
    },
    // Lines through places: `{points, kind}`.
    setLines: found => lines.replaceChildren(...found.flatMap(({points, kind}) => [
      makeSvg('path', {class: `under ${kind}`, d: line(points)}), makeSvg('path', {class: kind, d: line(points)}),
    ])),
    // Places with rings around them, and what stands beside these: `{at, text, kind}`.
    setRings: found => rings.replaceChildren(...found.map(({at, text, kind = ''}) => placed(
      makeSvg('g', {class: `shown ${kind}`}, makeSvg('circle', {r: RING}), text != null && numbered(String(text), 17, -17)), at))),
    // Cores: a ring round the places of each, `{places, number, label, pointed}`.
    setCores: found => cores.replaceChildren(...found.map(({places, number: which, label, pointed}) => {
      const corners = hull(places.flatMap(around));
      const top = corners.reduce((best, one) => one.y < best.y ? one : best);
      return makeSvg('g', {class: pointed ? 'core pointed' : 'core', 'data-core': which},
        makeSvg('title', {}, label),
        makeSvg('path', {class: 'under', d: `${line(corners)}Z`}), makeSvg('path', {d: `${line(corners)}Z`}),
        placed(makeSvg('g', {}, plate(found.length > 1 ? `core ${which + 1}` : 'core')), top));
    })),
    // So many units of the map are a pixel.
    setScale: next => {
      scale = next;
      for (const element of root.querySelectorAll('[transform]')) if (element.at) placed(element, element.at);
    },
  };
};
