// A few cases to look at first, as cards with a picture: at the right of an opening to which nothing was done, and in the gallery.
import {make} from './dom.js';
import {addOpened, derived, isUntouched, state, subscribe, tell} from './store.js';

// Opens a case of the gallery.
export const openCase = async (ask, {file, identity}) => addOpened(await ask({ask: 'case', file, identity}));

export const exampleCards = (examples, open) => make('ul', {class: 'examples'}, ...examples.map(one => make('li', {}, make('button',
  {type: 'button', class: 'example', onclick: () => open(one)}, make('img', {src: one.picture, alt: '', loading: 'lazy', width: 180, height: 120}),
  make('b', {}, one.title), make('small', {}, one.says)))));

export const showExamples = ({ask, examples}) => {
  if (!examples.length) return;
  const open = one => openCase(ask, one).catch(error => tell({fault: error.fault ?? {message: String(error)}}));
  const shelf = make('section', {class: 'first', hidden: true, 'aria-label': 'Examples'}, make('h3', {}, 'Examples to start with'), exampleCards(examples, open));
  document.querySelector('#selected').append(shelf);
  subscribe(changed => {
    if (['nodes', 'at', 'asked', 'start'].some(name => changed.has(name))) {
      shelf.hidden = Boolean(derived.asked) || state.nodes.length !== 1 || !isUntouched(state.nodes[0]);
    }
  });
};
