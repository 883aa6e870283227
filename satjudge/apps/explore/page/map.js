// The map in the middle: the picture, what lies over it, and what a player does there by mouse, touch and keys.
import {make, readSvg} from './dom.js';
import {change, derived, node, state, subscribe, tell} from './store.js';
import {makeOverlay} from './overlay.js';
import {makePopup} from './popup.js';
import {ordering} from './ordering.js';
import {positioning} from './positioning.js';
import {handle} from './handling.js';
import {viewing} from './viewing.js';

// What the picture has to tell: where it is in its document, where its units stand, how its provinces are bounded.
const readPicture = root => {
  const panel = root.querySelector('svg.panel');
  const [x, y, width, height] = panel.getAttribute('viewBox').split(' ').map(Number);
  const [left, top, wide] = ['x', 'y', 'width'].map(name => Number(panel.getAttribute(name)));
  const units = [...panel.querySelectorAll('.unit[data-unit]')].map(element => {
    const {e, f} = element.transform.baseVal.consolidate().matrix;
    return {power: element.dataset.power, what: element.dataset.unit, province: element.dataset.province, at: {x: e, y: f}};
  });
  const outlines = new Map([...panel.querySelectorAll('path.province[data-province]')].map(path => [path.dataset.province, path.getAttribute('d')]));
  return {root, whole: {x, y, width, height}, corner: {x: left, y: top}, scale: wide / width, units, outlines};
};

// The tools above the map: `{element, show()}`.
const makeTools = (view, bars, units) => {
  const modes = [['orders', 'Orders'], ['position', 'Position']].map(([mode, label]) =>
    make('button', {type: 'button', 'data-mode': mode, onclick: () => change({mode})}, label));
  const zoom = (label, sign, run) => make('button', {type: 'button', class: 'zoom', 'aria-label': label, title: label, onclick: run}, sign);
  const whole = zoom('Whole map', '⤢', () => view.showWhole());
  const near = zoom('Zoom to the units', '◎', () => { if (units().length) view.showPlaces(units()); });
  return {
    element: make('div', {class: 'map-bar'}, make('div', {class: 'modes', role: 'group', 'aria-label': 'Mode'}, ...modes),
      make('div', {class: 'zooms', role: 'group', 'aria-label': 'Zoom'},
        zoom('Zoom in', '+', () => view.zoom(1.5)), zoom('Zoom out', '−', () => view.zoom(1 / 1.5)), near, whole)),
    show: () => {
      for (const button of modes) button.setAttribute('aria-pressed', String(button.dataset.mode === state.mode));
      bars.hidden = state.mode !== 'position';
    },
  };
};

export const showMap = ({ask, ready}) => {
  let picture = null;
  let current = null;  // the province that the tabulator leads to
  let stale = true;  // whether `choices` are those of another position
  let about = null;
  const overlay = makeOverlay();
  const hint = make('p', {id: 'map-hint', class: 'map-hint', 'aria-live': 'polite'});
  const keys = make('p', {id: 'map-keys', class: 'map-keys'}, 'Keys: arrows or the letters of a name go to a place, Enter presses it, '
    + 'Escape lets go, Delete takes away, + − 0 zoom.');
  const starting = make('p', {class: 'starting', role: 'status'}, 'satjudge is starting…');
  const frame = make('div', {class: 'view'}, overlay.root, keys, starting);
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
    refresh: () => show(),
  };
  const modes = {orders: ordering(ask, board), position: positioning(ask, board)};
  const mode = () => modes[state.mode] ?? modes.orders;
  const tools = makeTools(view, modes.position.bar, () => picture?.units.map(({at}) => at) ?? []);

  const leave = () => {
    const back = popup.holdsFocus();
    mode().letGo();
    if (back) overlay.focus(current);
  };
  const places = () => (stale && state.mode !== 'position') || !picture ? [] : mode().places();
  const ringed = (province, more) => derived.start?.provinces[province] && {at: board.pointOf(province), ...more};

  // Where the decision of a core is that is pointed at.
  const decided = () => (derived.judged?.cores ?? []).flatMap(({decisions, provinces}) =>
    decisions.flatMap((decision, at) => decision === derived.decision ? [provinces[at]] : []));

  // Shows everything over the picture as it is now.
  const show = () => {
    const found = places();
    if (!found.some(place => place.province === current)) current = found[0]?.province ?? null;
    overlay.setMarks(found, current);
    overlay.setAreas(found.filter(({kind}) => /^(lit|chosen)/.test(kind)).map(({province, kind}) => ({outline: picture.outlines.get(province) ?? '', kind})));
    overlay.setLines(mode().lines());
    overlay.setRings([...(derived.shown?.provinces ?? []).map(({province, number}) => ringed(province, {text: number})),
      ...decided().map(province => ringed(province, {kind: 'decided'}))].filter(Boolean));
    overlay.setCores(state.view === 'after' ? [] : (derived.judged?.cores ?? []).map((core, at) => ({
      number: at, places: core.provinces.map(province => board.pointOf(province)), pointed: derived.core === at,
      label: `Core ${at + 1}: ${core.decisions.join('; ')}`,
    })));
    overlay.setScale(view.unitsPerPixel());
    if (hint.textContent !== mode().hint()) hint.textContent = mode().hint();
  };

  // Marks in the picture the order that is pointed at, here or elsewhere.
  const light = () => {
    const lit = derived.lit;
    const told = lit && derived.judged?.orders.find(one => one.power === lit.power && one.order === lit.order);
    frame.classList.toggle('has-lit', Boolean(lit));
    for (const element of picture?.root.querySelectorAll('[data-power]') ?? []) {
      const {power, order, province} = element.dataset;
      const own = lit && power === lit.power && (order === lit.order || (told && province === told.province));
      element.classList.toggle('is-lit', Boolean(own));
    }
  };

  const draw = () => {
    const root = derived.picture && readSvg(derived.picture);
    if (!root) return;  // the last one stays where there is no other
    picture?.root.remove();
    picture = readPicture(root);
    root.removeAttribute('width');
    root.removeAttribute('height');
    frame.style.setProperty('--shape', `${picture.whole.width} / ${picture.whole.height}`);
    frame.prepend(root);
    view.setWhole(picture.whole);
    for (const one of Object.values(modes)) one.settle();
  };

  document.querySelector('#map').append(tools.element, modes.position.bar, hint, frame);
  handle({frame, view, overlay, board, mode, places, leave, current: next => {
    if (next !== undefined) current = next;
    return current;
  }, refresh: show});
  new ResizeObserver(() => overlay.setScale(view.unitsPerPixel())).observe(frame);

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
    if (changed.has('picture') || changed.has('lit') || changed.has('judged')) light();
    tools.show();
    if (node() && [...changed].some(name => name !== 'lit' && name !== 'judging')) show();
  });
};
