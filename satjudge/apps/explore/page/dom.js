const filled = (element, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter(child => child != null && child !== false));
  return element;
};

// Makes elements: `make('p', {class: 'note', onclick}, 'text', child)`. Text is never read as markup.
export const make = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

// The same for what is inside of an SVG document.
export const makeSvg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

// The SVG document as an element, or null. Scripts in it do not run: it is parsed by itself, and the page's policy forbids them.
export const readSvg = text => {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  return root.localName === 'svg' ? document.importNode(root, true) : null;
};

// Folds a menu away when something beside it is pressed, or Escape within.
export const foldAway = menu => {
  document.addEventListener('pointerdown', event => { if (menu.open && !menu.contains(event.target)) menu.open = false; });
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary').focus();
  });
};
