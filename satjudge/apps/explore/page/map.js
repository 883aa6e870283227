// The map in the middle: the picture, what lies over it, and what a player does there by mouse, touch and keys.
import {make, readSvg} from './dom.js';
import {change, derived, node, state, subscribe, tell} from './store.js';
import {icon} from './icons.js';
import {fitMarks, makeLook} from './look.js';
import {makeOverlay} from './overlay.js';
import {makePopup} from './popup.js';
import {ordering} from './ordering.js';
import {positioning} from './positioning.js';
import {handle} from './handling.js';
import {same} from './orders.js';
import {makeStrip} from './strip.js';
import {pathTo} from './tree.js';
import {viewing} from './viewing.js';

const PAUSE = 150;  // milliseconds after the last zoom till the picture is drawn for it

// What the picture has to tell: where it is in its document, where its units stand, how its provinces are bounded.
const readPicture = root => {
  const panel = root.querySelector('svg.panel');
  const marks = Number(panel.dataset.marks ?? 1);  // its sheet is so many times smaller than the map
  const [x, y, width, height] = panel.getAttribute('viewBox').split(' ').map(side => Math.round(Number(side) * marks));
  const [left, top, wide] = ['x', 'y', 'width'].map(name => Number(panel.getAttribute(name)));
  const units = [...panel.querySelectorAll('.unit[data-unit]')].map(element => {
    const {e, f} = element.transform.baseVal.consolidate().matrix;
    return {element, power: element.dataset.power, what: element.dataset.unit, province: element.dataset.province, at: {x: e * marks, y: f * marks}};
  });
  const outlines = new Map([...panel.querySelectorAll('path.province[data-province]')].map(path => [path.dataset.province, path.getAttribute('d')]));
  const isGround = 'ground' in panel.dataset;  // units without orders
  return {root, isGround, whole: {x, y, width, height}, corner: {x: left, y: top}, scale: wide / width, marks, units, outlines};
};

// The tools over the map: `{modes, zooms, show()}`.
const makeTools = (view, bars, matters) => {
  const setup = make('button', {type: 'button', class: 'quiet', 'aria-label': 'Set up', title: 'Set up a position', onclick: () => change({mode: state.mode === 'position' ? 'orders' : 'position'})},
    icon('setup'), make('span', {class: 'word'}, 'Set up'));
  const zoom = (label, sign, run) => make('button', {type: 'button', class: 'square', 'aria-label': label, title: label, onclick: run}, icon(sign));
  return {
    modes: make('div', {class: 'modes'}, setup, makeLook()),
    zooms: make('div', {class: 'zooms', role: 'group', 'aria-label': 'Zoom'},
      zoom('Zoom in', 'plus', () => view.zoom(1.5)), zoom('Zoom out', 'minus', () => view.zoom(1 / 1.5)),
      zoom('Zoom to the units', 'near', () => { if (matters().length) view.showPlaces(matters()); }), zoom('Whole map', 'whole', () => view.showWhole())),
    show: () => {
      setup.setAttribute('aria-pressed', String(state.mode === 'position'));
      bars.hidden = state.mode !== 'position';
    },
  };
};

// Units that went elsewhere slide there from where they stood, unless the system asks for no motion.
const slide = (before, after) => {
  const phase = ({root}) => root.querySelector('svg.panel').dataset.phase;
  if (phase(before) === phase(after) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const stood = one => before.units.some(other => other.power === one.power && other.what === one.what);
  const gone = before.units.filter(one => !after.units.some(other => other.power === one.power && other.what === one.what));
  for (const one of after.units.filter(unit => !stood(unit))) {
    const moves = gone.filter(other => other.power === one.power && other.what[0] === one.what[0] && derived.moved?.get(other.what) === one.province);
    const [from] = moves;
    if (!from) continue;
    const place = ({x, y}) => `translate(${x / after.marks}px, ${y / after.marks}px)`;
    one.element.animate([{transform: place(from.at)}, {transform: place(one.at)}], {duration: 150, easing: 'ease-out'});
  }
};

export const showMap = ({ask, ready}) => {
  let picture = null;
  let current = null;  // the province that the tabulator leads to
  let stale = true;  // whether `choices` are those of another position
  let about = null;
  let fitting = null;
  let framed = null;  // the first phase of the game that the map was fitted to
  const overlay = makeOverlay();
  const hint = make('p', {id: 'map-hint', class: 'map-hint', 'aria-live': 'polite'});
  const keys = make('p', {id: 'map-keys', class: 'map-keys'}, 'Use the arrow keys or the letters of a name to go to a place, and Enter to choose it. '
    + 'Escape deselects, Delete removes, and + − 0 zoom.');
  const all = make('button', {type: 'button', class: 'all-orders', hidden: true, onclick: () => modes.orders.menu(modes.orders.selected())}, 'All orders');
  const starting = document.querySelector('#map .starting');  // painted before any module is there
  const hints = make('div', {class: 'hints'}, hint, all);
  for (const kind of ['pointerdown', 'pointerup', 'click']) hints.addEventListener(kind, event => event.stopPropagation());  // they are no presses on the map
  const frame = make('div', {class: 'view'}, overlay.root, hints, keys, starting);
  ready?.catch(() => starting.remove());
  const popup = makePopup(frame, () => leave());
  const view = viewing(overlay.root, box => {
    if (picture) {
      const {corner, scale, whole} = picture;
      picture.root.setAttribute('viewBox', [corner.x + (box.x - whole.x) * scale, corner.y + (box.y - whole.y) * scale,
        box.width * scale, box.height * scale].join(' '));
    }
    overlay.setScale(view.unitsPerPixel());
    frame.classList.toggle('zoomed', view.isZoomed());
    if (picture) frame.style.setProperty('--ring', `${Math.round(4 + 16.2 * picture.marks / view.unitsPerPixel())}px`);
    clearTimeout(fitting);
    if (picture) fitting = setTimeout(fitMarks, PAUSE, view.unitsPerPixel(), picture.whole.width);
  });

  const board = {
    popup,
    nameOf: province => derived.start?.provinces[province]?.name ?? province,
    nameOfPower: power => derived.start?.powers[power] ?? power,
    unitIn: province => picture?.units.find(unit => unit.province === province) ?? null,
    // Where a unit is drawn, or where one would stand.
    pointOf: (province, unit) => {
      const drawn = picture?.units.find(one => one.province === province && (!unit || (one.power === unit.power && one.what === unit.what)));
      const [x, y] = derived.start?.provinces[province]?.at ?? [0, 0];
      return drawn?.at ?? {x, y};
    },
    openPopup: (province, name, ...children) => {
      const place = board.pointOf(province);
      const {left, top} = frame.getBoundingClientRect();
      const there = view.toScreen(place);
      popup.open({x: there.x - left, y: there.y - top}, name, ...children);
    },
    focus: province => overlay.focus(province),
    bringAll: provinces => view.bringAll(provinces.map(province => board.pointOf(province))),
    refresh: () => show(),
  };
  const modes = {orders: ordering(ask, board), position: positioning(ask, board)};
  const mode = () => modes[state.mode] ?? modes.orders;
  const standing = () => Object.values(node().position.units).flat().map(unit => unit.split(' ').at(-1).split('/')[0]);
  // What the map opens on: the units of a case and where they go, a core that waits for itself; all of a full board.
  const matters = () => {
    const cores = derived.judged?.cores.flatMap(({provinces}) => provinces) ?? [];
    const named = derived.judged?.orders.flatMap(({places}) => places) ?? [];
    return (cores.length ? cores : [...standing(), ...named])
      .filter(province => derived.start?.provinces[province]).map(province => board.pointOf(province));
  };
  const isFull = () => standing().length * 4 > Object.values(derived.start?.provinces ?? {}).filter(({centre}) => centre).length;
  const frameIt = () => {
    const [first] = pathTo(state.nodes, state.at);
    const of = `${first.id} ${first.position.map} ${derived.judged?.cores.length > 0}`;
    if (of === framed || !derived.judged || derived.judging) return;
    framed = of;
    if (!isFull() && matters().length) view.showPlaces(matters());
    else if (frame.clientWidth < frame.clientHeight) view.showFilling();
    else view.showWhole();
  };
  const tools = makeTools(view, modes.position.bar, () => picture ? matters() : []);

  const leave = () => {
    const back = popup.holdsFocus();
    mode().letGo();
    if (back) overlay.focus(current);
  };
  const places = () => (stale && state.mode !== 'position') || !picture ? [] : mode().places();
  const ringed = (province, more) => derived.start?.provinces[province] && {at: board.pointOf(province), ...more};

  // The orders as plain lines, while the picture has none: to the place that an order is about, to the middle of a move.
  const given = () => (derived.judged?.orders ?? []).filter(({places}) => places.length > 1).map(({places, sign}) => {
    const [from, one, other = one] = places.map(province => board.pointOf(province));
    return {points: [from, {x: (one.x + other.x) / 2, y: (one.y + other.y) / 2}], kind: `given ${sign}`};
  });

  // Where the decision of a core is that is pointed at.
  const decided = () => (derived.judged?.cores ?? []).flatMap(({decisions, provinces}) =>
    decisions.flatMap((decision, at) => decision === derived.decision ? [provinces[at]] : []));

  // Shows everything over the picture as it is now.
  const show = () => {
    const found = places();
    if (!found.some(place => place.province === current)) current = found[0]?.province ?? null;
    overlay.setMarks(found, current);
    overlay.setAreas(picture?.marks ?? 1, found.filter(({kind}) => /^(lit|chosen)/.test(kind)).map(({province, kind}) => ({outline: picture.outlines.get(province) ?? '', kind})));
    overlay.setLines([...mode().lines(), ...(picture?.isGround ? given() : [])]);
    overlay.setRings([...(derived.shown?.provinces ?? []).map(({province, number}) => ringed(province, {text: number})),
      ...decided().map(province => ringed(province, {kind: 'decided'}))].filter(Boolean));
    overlay.setCores(state.view === 'after' ? [] : (derived.judged?.cores ?? []).map((core, at) => ({
      number: at, places: core.provinces.map(province => board.pointOf(province)), pointed: derived.core === at,
      label: `Core ${at + 1}: ${core.decisions.join('; ')}`,
    })));
    overlay.setScale(view.unitsPerPixel());
    const says = stale && state.mode !== 'position' ? '' : mode().hint();  // what may be ordered is not known yet
    if (hint.textContent !== says) hint.textContent = says;
    all.hidden = state.mode === 'position' || !modes.orders.selected();
  };

  // Marks in the picture the order that is pointed at, here or elsewhere.
  const light = () => {
    const lit = derived.lit;
    const asked = derived.judged?.orders.find(one => same(one, derived.asked));
    const told = lit && derived.judged?.orders.find(one => one.power === lit.power && one.order === lit.order);
    for (const element of picture?.root.querySelectorAll('[data-power]') ?? []) {
      const {power, order, province} = element.dataset;
      const own = lit && power === lit.power && (order === lit.order || (told && province === told.province));
      element.classList.toggle('is-lit', Boolean(own));
      element.classList.toggle('is-asked', Boolean(asked) && power === asked.power && province === asked.province);
    }
  };

  const draw = () => {
    const root = derived.picture && readSvg(derived.picture);
    if (!root) return;  // the last one stays where there is no other
    const before = picture;
    picture?.root.remove();
    picture = readPicture(root);
    root.removeAttribute('width');
    root.removeAttribute('height');
    frame.prepend(root);
    if (view.setWhole(picture.whole)) {
      framed = null;
      view.showWhole();
    }
    frameIt();
    if (before) slide(before, picture);
    for (const one of Object.values(modes)) one.settle();
  };

  document.querySelector('#views').append(tools.modes);
  document.querySelector('#map').append(modes.position.bar, tools.zooms, frame, makeStrip());
  handle({frame, view, overlay, board, mode, places, leave, current: next => {
    if (next !== undefined) current = next;
    return current;
  }, refresh: show});
  // What is explained is in sight, whatever else covers the map.
  const bringAsked = () => {
    const one = derived.judged?.orders.find(other => same(other, derived.asked));
    for (const province of one?.places.toReversed() ?? []) if (derived.start?.provinces[province]) view.bring(board.pointOf(province));
  };
  new ResizeObserver(() => {
    view.fit();
    if (derived.asked && picture) bringAsked();
  }).observe(frame);

  subscribe(changed => {
    // Who looks at a resolution or at what comes afterwards has set the position.
    if (changed.has('view') && !changed.has('at') && !changed.has('mode') && state.mode === 'position') change({mode: 'orders'});
    if (changed.has('mode')) for (const one of Object.values(modes)) one.letGo();
    if (node() && node().position !== about) {
      about = node().position;
      stale = true;
      modes.orders.letGo();
    }
    if (changed.has('choices')) {
      stale = false;
      modes.orders.letGo();
    }
    if (changed.has('picture')) {
      starting.remove();
      draw();
    }
    if (changed.has('judged') && picture && !derived.judging) frameIt();
    if (changed.has('judged')) modes.orders.judged();
    if (changed.has('menu') && derived.menu) {
      modes.orders.menu(derived.menu);
      tell({menu: null});
    }
    if (changed.has('asked') && !changed.has('given') && picture) bringAsked();  // what was given here moves nothing under the hand
    if (changed.has('picture') || changed.has('lit') || changed.has('asked') || changed.has('judged')) light();
    tools.show();
    if (node() && [...changed].some(name => name !== 'lit' && name !== 'judging')) show();
  });
};
