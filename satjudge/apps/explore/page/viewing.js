// Which piece of the map is seen, in units of the map: zooming, moving, and where on the screen things are. The piece has the
// shape of the window that it is seen in, however the map is shaped.

const CLOSEST = 8;
const clamp = (value, low, high) => low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high);

// `over` is an SVG element whose view box is the piece that is seen; `changed(box)` is called when that is another.
export const viewing = (over, changed) => {
  let whole = {x: 0, y: 0, width: 1, height: 1};
  let box = whole;
  let home = null;  // how the map was shown last without anybody's hand: done again when the window is another
  const shape = () => (over.clientWidth || 1) / (over.clientHeight || 1);
  // The narrowest piece with all of the map in it, and the widest without anything else.
  const widest = () => Math.max(whole.width, whole.height * shape());
  const filling = () => Math.min(whole.width, whole.height * shape());
  const show = next => {
    const width = clamp(next.width, whole.width / CLOSEST, widest());
    const height = width / shape();
    box = {
      x: clamp(next.x, whole.x, whole.x + whole.width - width),
      y: clamp(next.y, whole.y, whole.y + whole.height - height),
      width, height,
    };
    over.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    changed(box);
  };
  const around = ({x, y}, width) => show({x: x - width / 2, y: y - width / shape() / 2, width});
  const middle = () => ({x: box.x + box.width / 2, y: box.y + box.height / 2});
  const centre = () => ({x: whole.x + whole.width / 2, y: whole.y + whole.height / 2});
  let seen = null;  // the window in which it was shown so, and how much of the map was seen
  const byItself = run => {
    home = run;
    seen = {width: innerWidth, height: innerHeight, high: over.clientHeight};
    run();
  };
  const byHand = run => {
    home = null;
    run();
  };
  const isCovered = () => seen.width === innerWidth && seen.height === innerHeight && over.clientHeight < seen.high;
  const showAll = () => around(centre(), widest());
  // As much as can be seen of it without anything beside it: on a phone units would be tiny else.
  const fill = () => around(centre(), filling());
  return {
    isZoomed: () => box.width < widest() * 0.999,
    // The whole map is this large; what is seen of it stays if it was as large before.
    setWhole: next => {
      const same = ['x', 'y', 'width', 'height'].every(key => next[key] === whole[key]);
      whole = next;
      if (same) show(box);
      return !same;
    },
    showWhole: () => byItself(showAll),
    showFilling: () => byItself(fill),
    // Shows these places with some room around them.
    showPlaces: places => byItself(() => {
      const [xs, ys] = [places.map(({x}) => x), places.map(({y}) => y)];
      const [across, down] = [xs, ys].map(of => Math.max(...of) - Math.min(...of));
      const room = whole.width / 7;
      const width = Math.max(across + room, (down + room) * shape(), whole.width / 3.2);
      around({x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2}, width);
    }),
    // A sheet that is pulled over the map covers some of it, and makes nothing smaller.
    fit: () => home && !isCovered() ? byItself(home) : around(middle(), box.width),
    zoom: (factor, at = middle()) => byHand(() => {
      const width = clamp(box.width / factor, whole.width / CLOSEST, widest()), by = width / box.width;
      show({x: at.x - (at.x - box.x) * by, y: at.y - (at.y - box.y) * by, width});
    }),
    move: (across, down) => byHand(() => show({...box, x: box.x + across, y: box.y + down})),
    // Moves so far that a place is well inside.
    bring: ({x, y}) => {
      const margin = Math.min(box.width, box.height) / 10;
      const outside = (value, low, high) => Math.min(0, value - low) + Math.max(0, value - high);
      const across = outside(x, box.x + margin, box.x + box.width - margin);
      const down = outside(y, box.y + margin, box.y + box.height - margin);
      if (across || down) show({...box, x: box.x + across, y: box.y + down});
    },
    // Moves so far that all places are inside, and farther away where they have no room.
    bringAll: places => {
      const [xs, ys] = [places.map(({x}) => x), places.map(({y}) => y)];
      const margin = Math.min(box.width, box.height) / 10;
      const [left, right, top, bottom] = [Math.min(...xs) - margin, Math.max(...xs) + margin, Math.min(...ys) - margin, Math.max(...ys) + margin];
      const width = Math.max(box.width, right - left, (bottom - top) * shape()), height = width / shape();
      const x = clamp(box.x - (width - box.width) / 2, right - width, left), y = clamp(box.y - (height - box.height) / 2, bottom - height, top);
      if (x !== box.x || y !== box.y || width !== box.width) show({x, y, width});
    },
    // Units of the map to a pixel of the screen.
    unitsPerPixel: () => box.width / (over.clientWidth || 1),
    toMap: (clientX, clientY) => new DOMPoint(clientX, clientY).matrixTransform(over.getScreenCTM().inverse()),
    toScreen: ({x, y}) => new DOMPoint(x, y).matrixTransform(over.getScreenCTM()),
  };
};
