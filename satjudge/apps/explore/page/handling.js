// Mouse, touch and keys on the map: presses, dragging from a unit, zooming and moving, what is pointed at.
import {derived, tell} from './store.js';

const ON = 10, NEAR = 24, STILL = 6;  // pixels: pressed itself, near enough, not yet dragged
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const HELD = 500;  // milliseconds till a finger that stays has pressed long
const UNIT = 14, FINGER = 12;  // pixels: what counts as the unit itself, and how far from a line a press still means it
const PATIENCE = 1000;  // milliseconds between two letters of a name

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

// The nearest place in a direction; what lies askew counts as farther.
const towards = ([across, down], from, places) => {
  const rated = places.map(place => {
    const x = place.at.x - from.x, y = place.at.y - from.y;
    const ahead = x * across + y * down, aside = Math.abs(x * down - y * across);
    return {place, ahead, cost: ahead + 2 * aside, straight: aside <= 2 * ahead};
  }).filter(({ahead}) => ahead > 0);
  const best = list => list.sort((one, other) => one.cost - other.cost)[0]?.place;
  return best(rated.filter(({straight}) => straight)) ?? best(rated);
};

export const handle = map => {
  handlePointers(map);
  handleKeys(map);
  handlePointing(map);
};

// The province drawn at a point of the screen.
const provinceAt = (frame, x, y) => document.elementsFromPoint(x, y)
  .find(element => element.matches('path.province') && frame.contains(element))?.dataset.province ?? null;

// The place that a press at this point of the screen counts for: what is hit, the province there, or what is near.
const finder = ({frame, view}) => (x, y, among) => {
  const at = view.toMap(x, y), unit = view.unitsPerPixel();
  const [nearest] = among.map(place => ({province: place.province, far: distance(place.at, at) / unit}))
    .sort((one, other) => one.far - other.far);
  if (nearest?.far <= ON) return nearest.province;
  const province = provinceAt(frame, x, y);
  if (among.some(place => place.province === province)) return province;
  return nearest?.far <= NEAR ? nearest.province : null;
};

// The order whose line or sign is at this point of the screen, or near it; or one that goes to the contested province there.
const orderFinder = frame => (x, y) => {
  const around = Array.from({length: 8}, (_, turn) => [Math.cos(turn * Math.PI / 4), Math.sin(turn * Math.PI / 4)]);
  const points = [[0, 0], ...[FINGER / 2, FINGER].flatMap(far => around.map(([across, down]) => [far * across, far * down]))];
  const told = derived.judged?.orders ?? [];
  for (const [across, down] of points) {
    for (const element of document.elementsFromPoint(x + across, y + down)) {
      const drawn = frame.contains(element) && element.closest('[data-order]')?.dataset;
      const found = drawn && told.find(one => one.power === drawn.power && one.order === drawn.order);
      if (found) return found;
    }
  }
  const contested = document.elementsFromPoint(x, y).find(element => element.matches('.contested') && frame.contains(element));
  return contested && told.find(({places}) => places.length === 2 && places[1] === contested.dataset.province);
};

const handlePointers = map => {
  const {frame, view, overlay, board, mode, places, leave} = map;
  const placeAt = finder(map), orderAt = orderFinder(frame);
  const pointers = new Map();
  let drag = null;  // {from, x, y, moved}; from a unit, or of the map itself
  let moved = false;
  let waiting = null;  // while a finger stays where it was put down

  const units = () => mode().draggable();
  // A press that selects an order in place of a unit: beside every unit, where none is selected.
  const orderMeant = event => {
    if (mode().isBusy() || !mode().selects) return null;
    const at = view.toMap(event.clientX, event.clientY), unit = view.unitsPerPixel();
    return units().some(place => distance(place.at, at) / unit <= UNIT) ? null : orderAt(event.clientX, event.clientY);
  };
  const openMenu = event => {
    const province = placeAt(event.clientX, event.clientY, units()) ?? placeAt(event.clientX, event.clientY, places());
    if (!province || moved) return;
    moved = event.pointerType === 'touch';  // a long press is no press besides
    mode().menu(province);
  };
  const startDrag = event => {
    const near = event.pointerType !== 'touch' || event.target.closest('[data-press]');
    drag = {from: near ? placeAt(event.clientX, event.clientY, units()) : null, x: event.clientX, y: event.clientY, moved: false};
  };
  const pinch = event => {
    const before = [...pointers.values()];
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    const [one, other] = pointers.values();
    const middle = view.toMap((one.x + other.x) / 2, (one.y + other.y) / 2);
    view.zoom(distance(one, other) / (distance(...before) || 1), middle);
    moved = true;
  };
  const move = event => {
    const across = event.clientX - drag.x, down = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(across, down) < STILL) return;
    if (!drag.moved) {
      clearTimeout(waiting);
      drag.moved = moved = true;
      frame.setPointerCapture(event.pointerId);
      if (drag.from) mode().grab(drag.from);
    }
    if (drag.from) {
      const at = view.toMap(event.clientX, event.clientY);
      overlay.setLines([{points: [board.pointOf(drag.from), at], kind: 'dragged'}]);
      overlay.aim(placeAt(event.clientX, event.clientY, places()));
    } else if (view.isZoomed()) {
      const unit = view.unitsPerPixel();
      view.move(-across * unit, -down * unit);
      Object.assign(drag, {x: event.clientX, y: event.clientY});
    }
  };
  const end = (event, dropped) => {
    pointers.delete(event.pointerId);
    clearTimeout(waiting);
    if (drag?.moved && drag.from) {
      overlay.aim(null);
      const to = dropped ? placeAt(event.clientX, event.clientY, places()) : null;
      board.refresh();
      if (dropped && !to) mode().refuse?.(provinceAt(frame, event.clientX, event.clientY));
      mode().drop(drag.from, to);
    }
    drag = null;
  };

  frame.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    if (event.isPrimary) pointers.clear();
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    moved = false;
    clearTimeout(waiting);
    if (pointers.size === 1) {
      startDrag(event);
      // Browsers differ in whether and when a finger that stays asks for a menu.
      if (event.pointerType === 'touch') {
        waiting = setTimeout(() => {
          drag = null;
          openMenu(event);
        }, HELD);
      }
    }
    else if (drag?.moved && drag.from) end(event, false);
    else drag = null;
  });
  frame.addEventListener('pointermove', event => {
    if (!pointers.has(event.pointerId)) return;
    if (pointers.size === 2) pinch(event);
    else if (drag) move(event);
  });
  frame.addEventListener('pointerup', event => end(event, true));
  frame.addEventListener('pointercancel', event => end(event, false));
  // Two fingers, and one that begins on a unit, are for the map, not for the page. (`touch-action` does nothing inside of SVG.)
  const keep = event => { if (event.touches.length > 1 || drag?.from) event.preventDefault(); };
  frame.addEventListener('touchstart', event => { if (event.touches.length > 1) keep(event); }, {passive: false});
  frame.addEventListener('touchmove', keep, {passive: false});
  frame.addEventListener('click', event => {
    if (moved) {
      moved = false;
      return;
    }
    const button = event.target.closest('[data-press]');
    const province = event.detail === 0 && button ? button.dataset.press  // by a screen reader, which has no pointer
      : placeAt(event.clientX, event.clientY, places()) ?? placeAt(event.clientX, event.clientY, units());
    const order = event.detail !== 0 && orderMeant(event);
    if (order) tell({asked: {power: order.power, order: order.order}});
    else if (province) mode().press(province);
    else {
      mode().refuse?.(provinceAt(frame, event.clientX, event.clientY));
      leave();
    }
  });
  frame.addEventListener('contextmenu', event => {
    event.preventDefault();
    clearTimeout(waiting);
    openMenu(event);
  });
  frame.addEventListener('wheel', event => {
    event.preventDefault();
    view.zoom(Math.exp(-event.deltaY / 300), view.toMap(event.clientX, event.clientY));
  }, {passive: false});
};

const handleKeys = ({frame, view, overlay, board, mode, places, leave, current}) => {
  let typed = '', at = 0;

  // Goes to the place whose code or name begins with the letters typed.
  const seek = letter => {
    typed = (Date.now() - at < PATIENCE ? typed : '') + letter.toLowerCase();
    at = Date.now();
    const begins = name => name.toLowerCase().replaceAll(/[^a-z]/g, '').startsWith(typed);
    const all = places().map(({province}) => province);
    const found = all.find(begins) ?? all.find(province => begins(board.nameOf(province)));
    if (found) overlay.focus(found);
  };
  const pressed = province => {
    mode().press(province);
    if (!frame.contains(document.activeElement)) overlay.focus(current());
  };
  const escape = () => {
    const home = places().find(place => place.pressed)?.province;
    leave();
    overlay.focus(home ?? current());
  };
  const act = (key, province) => {
    if (key.length > 1) typed = '';
    if (key in ARROWS) {
      const all = places(), from = all.find(place => place.province === province);
      const next = from && towards(ARROWS[key], from.at, all.filter(place => place !== from));
      if (next) overlay.focus(next.province);
    } else if (key === 'Enter' || key === ' ') pressed(province);
    else if (key === 'Escape' && mode().isBusy()) escape();
    else if (key === 'Delete' || key === 'Backspace') mode().clear(province);
    else if (key === '+' || key === '-') view.zoom(key === '+' ? 1.5 : 1 / 1.5);
    else if (key === '0') view.showWhole();
    else if (/^[a-z]$/i.test(key)) seek(key);
    else return false;
    return true;
  };
  overlay.root.addEventListener('keydown', event => {
    const province = event.target.closest('[data-press]')?.dataset.press;
    if (!province || event.ctrlKey || event.metaKey || event.altKey || !act(event.key, province)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Letters typed anywhere but in fields go to a place, too.
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select, dialog, [data-press], .popup, summary')) return;
    if (/^[a-z]$/i.test(event.key)) seek(event.key);
    else if (event.key === '0') view.showWhole();
    else if (event.key === '+' || event.key === '-') view.zoom(event.key === '+' ? 1.5 : 1 / 1.5);
    else return;
    event.preventDefault();
  });
  // With the focus elsewhere, as after a press by mouse. In a field or a dialog Escape is theirs.
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || event.defaultPrevented || !mode().isBusy() || event.target.closest('input, textarea, select, dialog')) return;
    event.preventDefault();
    leave();
  });
};

// What is pointed at, by mouse or by the focus, is told to the other parts of the page.
const handlePointing = ({frame, view, overlay, mode, places, current, refresh}) => {
  const point = order => {
    const lit = order && {power: order.power, order: order.order};
    if (lit?.power !== derived.lit?.power || lit?.order !== derived.lit?.order) tell({lit});
  };
  const pointAtCore = core => { if (core !== (derived.core ?? null)) tell({core}); };
  const orderAt = element => {
    const drawn = element.closest('[data-order]');
    if (drawn) return drawn.dataset;
    const province = element.closest('[data-press]')?.dataset.press ?? element.closest('.unit[data-unit]')?.dataset.province;
    return province ? mode().orderOf(province) : null;
  };
  frame.addEventListener('pointerover', event => {
    if (event.pointerType === 'touch' || event.buttons) return;
    point(orderAt(event.target));
    const core = event.target.closest('[data-core]');
    pointAtCore(core ? Number(core.dataset.core) : null);
  });
  frame.addEventListener('pointerleave', () => {
    point(null);
    pointAtCore(null);
  });
  // Listened for outside of the SVG: in Chromium an `svg` that listens for the focus is itself a stop of the tabulator.
  frame.addEventListener('focusin', event => {
    const province = event.target.closest('[data-press]')?.dataset.press;
    const place = places().find(one => one.province === province);
    if (!place) return;
    if (current() !== province) {
      current(province);
      refresh();
    }
    view.bring(place.at);
    point(mode().orderOf(province));
  });
  frame.addEventListener('focusout', () => point(null));
};
