'use strict';
// Radio buttons choose a view; everything that belongs to others only is hidden.
const show = view => document.querySelectorAll('[data-view]').forEach(part => {
  part.hidden = !part.dataset.view.split(' ').includes(view);
});
document.querySelectorAll('input[name=view]').forEach(input => {
  input.addEventListener('change', () => show(input.value));
  if (input.checked) show(input.value);  // a browser may remember another one than the page has
});
// A click on a unit or an order in the picture opens its explanation.
const explain = clicked => {
  const province = clicked && clicked.dataset.province;
  const found = province && document.querySelector(`details[data-province="${CSS.escape(province)}"]:not([hidden])`);
  if (found) {
    found.open = true;
    found.querySelector('summary').focus({preventScroll: true});
    // The picture stays where it is: what it would cover is below it.
    const figure = clicked.closest('figure'), above = figure.getBoundingClientRect();
    const beside = found.getBoundingClientRect().left >= above.right;
    found.style.scrollMarginTop = beside ? '1rem' : `${figure.offsetHeight + 8}px`;
    const {top, bottom} = found.getBoundingClientRect();
    if (top < (beside ? 0 : above.bottom) || bottom > innerHeight) found.scrollIntoView({block: 'start'});
  }
  return Boolean(found);
};
// What can be pressed can be reached with the tabulator and pressed with a key, and says what it is.
document.querySelectorAll('figure .unit').forEach(unit => {
  const province = unit.dataset.province;
  const told = document.querySelector(`#orders details[data-province="${CSS.escape(province)}"] .text`);
  if (!told || !unit.closest('#position')) return;
  const name = unit.querySelector('title').textContent;
  const about = {tabindex: '0', role: 'button', 'aria-label': `${name}: why ${told.textContent}?`};
  for (const [attribute, value] of Object.entries(about)) unit.setAttribute(attribute, value);
  unit.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    explain(unit);
  });
});
// A link to what is folded opens it.
const unfold = () => {
  const found = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!found || found.tagName !== 'DETAILS') return;
  found.open = true;
  found.scrollIntoView();
};
addEventListener('hashchange', unfold);
unfold();
// A button makes a picture larger, in a box that scrolls. So does a click where nothing is explained, or anything is too small.
const restore = [];
document.querySelectorAll('figure').forEach(figure => {
  const box = figure.firstElementChild, svg = box.firstElementChild;
  const natural = Number(svg.getAttribute('width'));
  const button = document.createElement('button');
  const large = () => box.classList.contains('large');
  const enlarge = (yes, x = 0.5, y = 0.5) => {
    svg.style.width = yes ? `${Math.max(natural, 2 * svg.clientWidth)}px` : '';
    box.classList.toggle('large', yes);
    button.textContent = yes ? 'Smaller picture' : 'Larger picture';
    const region = {role: 'region', tabindex: '0', 'aria-label': 'The larger picture'};
    for (const [name, value] of Object.entries(region)) yes ? box.setAttribute(name, value) : box.removeAttribute(name);
    box.scrollTo(x * svg.clientWidth - box.clientWidth / 2, y * svg.clientHeight - box.clientHeight / 2);
  };
  box.addEventListener('click', event => {
    const small = !large() && svg.clientWidth < 0.6 * natural;
    if (!small && explain(event.target.closest('.order, .unit'))) return;
    const seen = svg.getBoundingClientRect();
    enlarge(!large(), (event.clientX - seen.left) / seen.width, (event.clientY - seen.top) / seen.height);
  });
  figure.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !large()) return;
    enlarge(false);
    button.focus();
  });
  button.type = 'button';
  button.className = 'larger';
  button.addEventListener('click', () => enlarge(!large()));
  restore.push(() => enlarge(false));
  figure.append(button);
  enlarge(false);
});
// On paper nothing can be opened, and nothing scrolls.
addEventListener('beforeprint', () => {
  restore.forEach(one => one());
  document.querySelectorAll('details').forEach(details => { details.open = true; });
});
