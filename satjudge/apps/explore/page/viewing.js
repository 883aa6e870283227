// Which piece of the map is seen, in units of the map: zooming, moving, and where on the screen things are.

const CLOSEST = 8;
const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

// `over` is an SVG element whose view box is the piece that is seen; `changed(box)` is called when that is another.
export const viewing = (over, changed) => {
  let whole = {x: 0, y: 0, width: 1, height: 1};
  let box = whole;
  const show = next => {
    const width = clamp(next.width, whole.width / CLOSEST, whole.width);
    const height = width * whole.height / whole.width;
    box = {
      x: clamp(next.x, whole.x, whole.x + whole.width - width),
      y: clamp(next.y, whole.y, whole.y + whole.height - height),
      width, height,
    };
    over.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    changed(box);
  };
  const middle = () => ({x: box.x + box.width / 2, y: box.y + box.height / 2});
  return {
    isZoomed: () => box.width < whole.width * 0.999,
    // The whole map is this large; what is seen of it stays if it was as large before.
    setWhole: next => {
      const same = ['x', 'y', 'width', 'height'].every(key => next[key] === whole[key]);
      whole = next;
      show(same ? box : whole);
    },
    showWhole: () => show(whole),
    // Shows these places with some room around them.
    showPlaces: places => {
      const [xs, ys] = [places.map(({x}) => x), places.map(({y}) => y)];
      const width = 1.2 * Math.max(Math.max(...xs) - Math.min(...xs), (Math.max(...ys) - Math.min(...ys)) * whole.width / whole.height, whole.width / 5);
      const height = width * whole.height / whole.width;
      show({x: (Math.min(...xs) + Math.max(...xs) - width) / 2, y: (Math.min(...ys) + Math.max(...ys) - height) / 2, width});
    },
    zoom: (factor, at = middle()) => show({
      x: at.x - (at.x - box.x) / factor, y: at.y - (at.y - box.y) / factor, width: box.width / factor,
    }),
    move: (across, down) => show({...box, x: box.x + across, y: box.y + down}),
    // Moves so far that a place is well inside.
    bring: ({x, y}) => {
      const margin = box.width / 10;
      const outside = (value, low, high) => Math.min(0, value - low) + Math.max(0, value - high);
      const across = outside(x, box.x + margin, box.x + box.width - margin);
      const down = outside(y, box.y + margin, box.y + box.height - margin);
      if (across || down) show({...box, x: box.x + across, y: box.y + down});
    },
    // Units of the map to a pixel of the screen.
    unitsPerPixel: () => 1 / (over.getScreenCTM()?.a || 1),
    toMap: (clientX, clientY) => new DOMPoint(clientX, clientY).matrixTransform(over.getScreenCTM().inverse()),
    toScreen: ({x, y}) => new DOMPoint(x, y).matrixTransform(over.getScreenCTM()),
  };
};
