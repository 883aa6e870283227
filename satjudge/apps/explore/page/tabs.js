// Above the map: what it shows. Ruled, each resolution, afterwards.
import {make} from './dom.js';
import {change, derived, node, question, state, subscribe, tell} from './store.js';

const LISTED = 12;

export const showTabs = ({ask}) => {
  const bar = document.querySelector('#tabs');
  const tab = (view, label) => make('button', {
    type: 'button', role: 'tab', 'aria-selected': String(state.view === view), 'aria-controls': 'map',
    tabindex: state.view === view ? '0' : '-1', onclick: () => change({view}),
  }, label);
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
    bar.replaceChildren(tab('ruled', derived.judged?.unresolved ? 'No answer' : core ? 'Ruled' : 'Orders'),
      ...numbers.map(number => tab(number, `Resolution ${number} of ${count}`)), tab('after', 'Afterwards'));
    if (core && count > LISTED) bar.append(make('span', {class: 'rest'}, `the first ${LISTED} of ${count}`));
    if (focused) bar.querySelector('[aria-selected=true]')?.focus();
  };

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
    if (changed.has('judged') || changed.has('view')) {
      show();
      see();
    }
  });
};
