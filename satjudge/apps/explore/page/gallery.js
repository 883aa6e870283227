// The gallery: the cases that come with satjudge, by collection and section, to search in and to open.
import {make} from './dom.js';
import {addTool, makeDialog} from './dialog.js';
import {exampleCards, openCase} from './examples.js';

const folded = text => text.normalize('NFKD').toLowerCase();

export const showGallery = ({ask, examples}) => {
  const told = make('p', {role: 'alert', class: 'fault'});
  const count = make('p', {role: 'status', class: 'count'});
  const search = make('input', {type: 'search', placeholder: '6.F.14 or convoy paradox', 'aria-label': 'Search the cases', oninput: () => filter()});
  const shelves = make('div', {class: 'shelves'});
  
  const open = async one => {
    told.textContent = '';
    try {
      await openCase(ask, one);
      dialog.close();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const first = exampleCards(examples, open);
  const dialog = makeDialog('Gallery', {class: 'gallery'}, search, count, told, first, shelves);

  const caseOf = (shelf, section, {identity, title, source}) => make('li', {
    class: 'case', 'data-words': folded([shelf, section.title, identity, title, source].join(' ')),
  }, make('button', {type: 'button', onclick: () => open({file: section.file, identity})}, make('b', {}, identity), ` ${title}`),
  source && !source.endsWith(`, ${identity}`) && make('small', {}, source));

  const shelfOf = ({title, files}) => {
    const listed = section => section.cases.map(one => caseOf(title, section, one));
    const divided = files.length > 1 && files.some(({cases}) => cases.length > 1);
    const count = files.reduce((sum, {cases}) => sum + cases.length, 0);
    return make('details', {class: 'shelf fold'}, make('summary', {}, `${title} (${count})`),
      ...(divided ? files.map(section => make('section', {}, make('h3', {}, section.title), make('ul', {}, ...listed(section))))
        : [make('ul', {}, ...files.flatMap(listed))]));
  };

  const filter = () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const one of shelves.querySelectorAll('.case')) {
      one.hidden = !words.every(word => one.dataset.words.includes(word));
      found += !one.hidden;
    }
    for (const part of shelves.querySelectorAll('section, .shelf')) part.hidden = !part.querySelector('.case:not([hidden])');
    if (words.length) for (const shelf of shelves.children) shelf.open = !shelf.hidden;
    first.hidden = words.length > 0;
    count.textContent = words.length ? `${found} ${found === 1 ? 'case' : 'cases'}` : '';
  };

  const fill = async () => {
    if (shelves.childElementCount) return;
    try {
      const listed = await ask({ask: 'gallery'});
      shelves.replaceChildren(...listed.map(shelfOf));
      shelves.firstElementChild.open = true;
      filter();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  addTool('Gallery', 'gallery', dialog, () => {
    search.focus();
    fill();
  });
};
