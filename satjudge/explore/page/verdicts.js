// What became of each order, and why.
import {make} from './dom.js';
import {derived, question, subscribe} from './store.js';

export const showVerdicts = ({ask}) => {
  const list = make('ul', {class: 'orders'});
  const why = make('div', {class: 'why', 'aria-live': 'polite'});
  document.querySelector('#verdicts').append(make('h2', {}, 'Verdicts'), list, why);
  const explain = async ({power, order}) => {
    const told = await ask(question('explain', {power, order}));
    why.replaceChildren(make('p', {}, told.text));
  };
  subscribe(changed => {
    if (!changed.has('judged')) return;
    list.replaceChildren(...(derived.judged?.orders ?? []).map(one => make('li', {},
      make('button', {onclick: () => explain(one)}, `${one.power} ${one.order}: ${one.verdict}`))));
  });
};
