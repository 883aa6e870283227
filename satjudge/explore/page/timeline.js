// The line of phases below.
import {make} from './dom.js';
import {addNode, change, question, state, subscribe, tell} from './store.js';

export const showTimeline = ({ask}) => {
  const phases = make('ol', {class: 'phases'});
  const goOn = async () => {
    try {
      addNode((await ask(question('next', {victory: state.victory}))).position);
    } catch (error) {
      tell({fault: error.fault ?? {message: String(error)}});
    }
  };
  document.querySelector('#timeline').append(phases, make('button', {onclick: goOn}, 'Next phase'));
  subscribe(changed => {
    if (!changed.has('nodes') && !changed.has('at')) return;
    phases.replaceChildren(...state.nodes.map(one => make('li', {}, make('button', {
      'aria-current': one.id === state.at ? 'step' : false, onclick: () => change({at: one.id}),
    }, one.position.phase))));
  });
};
