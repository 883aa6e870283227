// Above the map: what it shows. Ruled, each resolution, afterwards.
import {make} from './dom.js';
import {change, derived, node, question, state, subscribe, tell} from './store.js';

const LISTED = 12;

export const showTabs = ({ask}) => {
  const bar = document.querySelector('#tabs');
  const told = make('p', {id: 'told'});  // on a phone, where tabs are short
  document.querySelector('#views').after(told);
  let says = [];  // what sets each resolution apart
  // Tabs that stay keep their elements, and so the focus, whatever becomes known of them.
  const known = new Map();
  const tab = (view, label, of = 0, name = null) => {
    const element = known.get(view) ?? make('button', {type: 'button', role: 'tab', 'aria-controls': 'map', onclick: () => change({view})});
    known.set(view, element);
    element.className = of ? 'resolution' : '';
    element.title = of ? `Resolution ${view} of ${of}: ${label}` : '';
    element.setAttribute('aria-selected', String(state.view === view));
    element.ariaLabel = name;
    element.tabIndex = state.view === view ? 0 : -1;
    const unseen = text => make('span', {class: 'unseen'}, text);
    element.replaceChildren(...(of ? [unseen('Resolution '), make('span', {class: 'number'}, String(view)), unseen(` of ${of}: `), make('span', {class: 'says'}, label)] : [label]));
    return element;
  };
  bar.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const tabs = [...bar.querySelectorAll('[role=tab]')];
    const next = step && tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    if (next) {
      event.preventDefault();
      next.click();
      bar.querySelector('[aria-selected=true]')?.focus();
    }
  });

  const show = () => {
    const count = derived.judged?.resolutions ?? 1;
    const core = derived.judged?.cores.length > 0;
    const numbers = core ? Array.from({length: Math.min(count, LISTED)}, (_, index) => index + 1) : [];
    const focused = bar.contains(document.activeElement);
    const rules = [...new Set((derived.judged?.rulings ?? []).map(({name}) => name.replace(/^the /, '')))].join(', ');
    const ruled = derived.judged?.unresolved ? 'No answer' : core ? 'Ruled' : 'This phase';
    const tabs = [core && rules ? tab('ruled', make('span', {}, ruled, make('span', {class: 'says'}, `: ${rules}`)), 0, `${ruled}: ${rules}`) : tab('ruled', ruled),
      ...numbers.map(number => tab(number, says[number - 1] || 'a resolution', count)), tab('after', 'Afterwards')];
    bar.querySelector('.rest')?.remove();
    if (tabs.length !== bar.children.length || tabs.some((one, at) => one !== bar.children[at])) bar.replaceChildren(...tabs);
    if (core && count > LISTED) bar.append(make('span', {class: 'rest'}, `the first ${LISTED} of ${count}`));
    if (focused) bar.querySelector('[aria-selected=true]')?.focus();
    told.textContent = typeof state.view === 'number' ? says[state.view - 1] ?? '' : core && state.view === 'ruled' && rules ? `decided by the ${rules}` : '';
  };

  let asked = null;
  const tellApart = async () => {
    const judged = asked = derived.judged;
    says = [];
    if (!judged?.cores.length || (judged.resolutions ?? 0) < 2) return;
    const told = await ask(question('differences')).catch(() => []);
    if (judged !== derived.judged || judged !== asked) return;
    says = told.map(one => one.says);
    show();
  };

  // A digit shows that resolution, and 0 within the map all of it.
  document.addEventListener('keydown', event => {
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
    const found = bar.querySelectorAll('.resolution')[Number(event.key) - 1];
    if (!found) return;
    event.preventDefault();
    found.click();
  });

  let turn = null;
  const see = async () => {
    const mine = turn = {};
    let seen = null;
    if (typeof state.view === 'number' && derived.judged) {
      if (state.view > (derived.judged.resolutions ?? 0)) return change({view: 'ruled'});
      const number = state.view;
      seen = await ask(question('see', {resolution: number})).then(told => ({...told, number}), () => null);
    }
    if (mine === turn && (seen || derived.seen)) tell({seen});
  };

  subscribe(changed => {
    if (!node()) return;
    if (changed.has('judged')) tellApart();
    if (changed.has('judged') || changed.has('view')) {
      show();
      see();
    }
  });
};
