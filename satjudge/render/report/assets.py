"""The style sheet and the script of the pages: small, by hand, without a framework."""

from satjudge.render.palette import DARK, LIGHT, Theme


def _colours(theme: Theme) -> str:
    card = {"light": "#f4f6f8", "dark": "#1d2328"}[theme.name]
    link = {"light": "#0b5cad", "dark": "#7db8f0"}[theme.name]
    line = {"light": "#d5dadf", "dark": "#3a434b"}[theme.name]
    shade = {"light": "#0004", "dark": "#000d"}[theme.name]
    faint = {"light": "#5b636b", "dark": "#a2abb4"}[theme.name]
    return (
        f"--paper:{theme.paper};--ink:{theme.ink};--faint:{faint};--good:{theme.good};--bad:{theme.bad};"
        f"--card:{card};--link:{link};--line:{line};--shade:{shade}"
    )


STYLE = f"""
:root{{{_colours(LIGHT)}}}
@media (prefers-color-scheme:dark){{:root{{{_colours(DARK)}}}}}
*{{box-sizing:border-box}}
[hidden]{{display:none!important}}
body{{margin:0 auto;max-width:110rem;padding:0 1rem 3rem;background:var(--paper);color:var(--ink);
font:1rem/1.5 Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif}}
h1{{font-size:1.6rem;line-height:1.2;margin:1.2rem 0 .2rem}}
h2{{font-size:1.2rem;margin:2rem 0 .6rem}}
h1,h2,p,li,td,th,summary{{overflow-wrap:anywhere}}
.subtitle,footer,.faint{{color:var(--faint)}}
.subtitle{{margin:.2rem 0}}
a{{color:var(--link)}}
figure{{margin:0}}
.picture{{width:fit-content;max-width:100%;cursor:zoom-in}}
.picture>svg{{display:block;max-width:100%;height:auto}}
.picture.large{{overflow:auto;max-height:85vh;cursor:zoom-out;border:1px solid var(--line)}}
.picture.large>svg{{max-width:none}}
figure .order,figure .panel .unit{{cursor:pointer}}
.unit[tabindex]:focus{{outline:none}}
.unit[tabindex]:focus-visible .body{{stroke:var(--link);stroke-width:4;paint-order:stroke}}
.unit[tabindex]:focus-visible{{outline:3px solid var(--link);outline-offset:3px}}
/* The picture stays in sight while the orders are read: beside them where there is room, else above them. */
.board>section:first-child figure{{background:var(--paper)}}
@media screen and (min-width:70rem){{
.board{{display:grid;grid-template-columns:minmax(0,3fr) minmax(24rem,2fr);gap:0 2rem;align-items:start}}
.board>section:first-child{{position:sticky;top:0;max-height:100vh;overflow:auto}}
.board>section:first-child .picture:not(.large)>svg{{max-width:min(100%,calc(80vh*var(--ratio)))}}
}}
@media screen and (max-width:69.99rem){{.board>section:first-child{{display:contents}}}}
@media screen and (max-width:69.99rem) and (min-height:30rem){{
.board>section:first-child figure{{position:sticky;top:0;z-index:1;padding-bottom:.3rem;border-bottom:1px solid var(--line)}}
.board>section:first-child .picture:not(.large)>svg{{max-width:min(100%,calc(50vh*var(--ratio)))}}
.board>section:first-child .picture.large{{max-height:60vh}}
}}
.contents ul{{columns:18rem;margin:.2rem 0;padding-left:1.2rem}}
.contents ul ul{{columns:auto}}
.fold{{border-bottom:1px solid var(--line)}}
.fold>summary{{cursor:pointer;padding:.5rem .2rem;min-height:2.75rem}}
.fold>summary h3{{display:inline;font-size:1rem}}
.graph{{max-width:26rem}}
.larger{{margin:.4rem 0;min-height:2.6rem;padding:.45rem .8rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--card);color:inherit;font:inherit;cursor:pointer}}
figcaption{{color:var(--faint);margin-top:.3rem}}
.legend{{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;list-style:none;padding:0;margin:.4rem 0;font-size:.9rem}}
.legend li{{display:flex;align-items:center;gap:.3rem}}
.defs{{position:absolute;width:0;height:0;overflow:hidden}}
fieldset.switch{{display:flex;flex-wrap:wrap;gap:.4rem;border:0;padding:0;margin:0 0 .8rem}}
fieldset.switch legend{{padding:0;margin-bottom:.3rem;color:var(--faint)}}
.switch label{{position:relative;cursor:pointer}}
.switch input{{position:absolute;opacity:0;width:100%;height:100%;margin:0;cursor:pointer}}
.switch span{{display:block;padding:.45rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}}
.switch input:checked+span{{background:var(--link);border-color:var(--link);color:var(--paper)}}
.switch input:focus-visible+span,summary:focus-visible,.scroll:focus-visible,.picture:focus-visible,.larger:focus-visible{{
outline:3px solid var(--link);outline-offset:2px}}
/* A shadow at either side for as long as there is more to see: what moves with the content covers what stays with the box. */
.scroll{{--under:var(--paper);overflow-x:auto;max-width:100%;background:
linear-gradient(90deg,var(--under) 50%,transparent) 0 0/3rem 100% no-repeat local,
linear-gradient(270deg,var(--under) 50%,transparent) 100% 0/3rem 100% no-repeat local,
linear-gradient(90deg,var(--shade),transparent) 0 0/1.5rem 100% no-repeat scroll,
linear-gradient(270deg,var(--shade),transparent) 100% 0/1.5rem 100% no-repeat scroll,var(--under)}}
table{{border-collapse:collapse;min-width:100%}}
th,td{{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}}
th:last-child,td:last-child{{padding-right:0}}
.scroll th,.scroll td{{overflow-wrap:normal}}
.scroll td{{white-space:nowrap}}
.scroll .long{{display:inline-block;min-width:6rem;max-width:40rem;white-space:normal;overflow-wrap:anywhere}}
.number{{text-align:right;font-variant-numeric:tabular-nums}}
.differs{{background:color-mix(in srgb,var(--bad) 14%,transparent)}}
.power{{margin:1.1rem 0 .3rem;font-size:1rem}}
.swatch{{display:inline-block;min-width:1.9em;padding:0 .3em;margin-right:.5em;border-radius:.25em;text-align:center;
font-weight:bold;font-size:.85em;border:1px solid var(--ink)}}
details.order,div.order{{border-bottom:1px solid var(--line)}}
.order>summary,div.order{{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:.5rem .2rem;list-style:none;min-height:2.75rem}}
details.order>summary{{cursor:pointer}}
details.order>summary::before{{content:"▸";color:var(--faint)}}
div.order::before{{content:"·";color:var(--faint)}}
details.order[open]>summary::before{{content:"▾"}}
details.order>summary::-webkit-details-marker{{display:none}}
.text{{flex:1 1 14rem;font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.95em}}
.outcome{{flex:0 1 16rem}}
.why{{background:var(--card);border-radius:.5rem;padding:.5rem .8rem;margin:0 0 .6rem}}
.why p{{margin:.1rem 0}}
.why ul{{margin:.2rem 0;padding-left:1.2rem}}
.rule{{color:var(--faint);font-size:.9em}}
.verdict.succeeds,.verdict.given,.verdict.available,.verdict.stands,.verdict.yes{{color:var(--good)}}
.verdict.fails,.verdict.cut,.verdict.disrupted,.verdict.no{{color:var(--bad)}}
.verdict.dislodged,.verdict.destroyed{{color:var(--bad);font-weight:bold}}
.verdict.illegal,.verdict.invalid,.verdict.unresolved{{color:var(--faint);font-style:italic}}
.graph{{--under:var(--card);border-radius:.5rem;padding:.5rem}}
.graph svg{{display:block;width:100%;height:auto}}
@media screen and (prefers-color-scheme:dark){{.graph svg{{filter:invert(1) hue-rotate(180deg)}}}}
pre{{overflow-x:auto;background:var(--card);padding:.6rem .8rem;border-radius:.5rem}}
@media print{{body{{max-width:none}}.screen{{display:none}}
fieldset.switch,.larger{{display:none}}details.order>summary::before{{content:""}}
.scroll{{overflow:visible}}
section{{break-inside:avoid-page}}}}
"""

SCRIPT = """
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
  const province = clicked && [...clicked.classList].pop();
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
  const province = [...unit.classList].pop();
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
"""
