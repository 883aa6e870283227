// Above the map: what it shows. Ruled, each resolution, afterwards.
import {make} from './dom.js';
import {change, derived, node, question, state, subscribe, tell} from './store.js';

const LISTED = 12;

export const showTabs = ({ask}) => {
  const bar = document.querySelector('#tabs');
  let says = [];  // what sets each resolution apart
  const tab = (view, label, about = '') => make('button', {
    type: 'button', role: 'tab', class: typeof view === 'number' ? 'resolution' : '', 'aria-selected': String(state.view === view), 'aria-controls': 'map',
    title: about || null, tabindex: state.view === view ? '0' : '-1', onclick: () => change({view}),
  }, ...(typeof view === 'number' ? [make('span', {class: 'unseen'}, 'Resolution '), make('span', {class: 'number'}, String(view)), make('span', {class: 'unseen'}, ` of ${derived.judged.resolutions}: `)] : []), label);
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
    bar.replaceChildren(tab('ruled', derived.judged?.unresolved ? 'No answer' : !core ? 'This phase' : rules ? `Ruled: ${rules}` : 'Ruled'),
      ...numbers.map(number => tab(number, says[number - 1] || 'one of them', `Resolution ${number} of ${count}${says[number - 1] ? `: ${says[number - 1]}` : ''}`)),
      tab('after', 'Afterwards'));
    if (core && count > LISTED) bar.append(make('span', {class: 'rest'}, `the first ${LISTED} of ${count}`));
    if (focused) bar.querySelector('[aria-selected=true]')?.focus();
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
