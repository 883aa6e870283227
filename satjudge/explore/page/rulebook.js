// The rulebook above.
import {make} from './dom.js';
import {change, derived, state, subscribe} from './store.js';

export const showRulebook = () => {
  const choice = make('select', {'aria-label': 'Rulebook', onchange: () => change({rules: {name: choice.value, settings: []}})});
  document.querySelector('#rulebook').append(make('h1', {}, 'satjudge'), choice);
  subscribe(changed => {
    if (changed.has('start')) {
      choice.replaceChildren(...derived.start.rulebooks.map(({name, title}) => make('option', {value: name}, `${name}: ${title}`)));
    }
    choice.value = state.rules.name;
  });
};
