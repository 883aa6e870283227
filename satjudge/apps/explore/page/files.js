// Opening: a file or a text of any kind that satjudge reads, chosen, pasted or dropped onto the page. It is opened beside what is
// there, so that nothing is lost; where a file holds several cases one is chosen.
import {make} from './dom.js';
import {addOpened} from './store.js';
import {addTool, makeDialog} from './dialog.js';
import {unpacked} from './link.js';

const MOST = 1_000_000;  // bytes

const tooMuch = () => new Error(`the file has more than ${MOST.toLocaleString('en')} bytes; use “satjudge” on the command line for larger ones`);

// What a file holds, unpacked if it is packed by gzip.
const bytesOf = async file => {
  if (file.size > MOST) throw tooMuch();
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return unpacked(bytes, 'gzip', MOST).catch(error => {
    throw error instanceof RangeError ? tooMuch() : new Error('the gzip file is damaged');
  });
};

const toBase64 = bytes => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
};

export const showFiles = ({ask}) => {
  const told = make('p', {role: 'alert', class: 'fault'});
  const cases = make('ul', {class: 'cases'});
  const file = make('input', {type: 'file', onchange: () => { if (file.files.length) open(file.files[0]); }});
  const text = make('textarea', {rows: 8, spellcheck: 'false', autocomplete: 'off', placeholder: 'FRANCE:\nA PAR - BUR'});
  const dialog = makeDialog('Open', {class: 'open'},
    make('p', {}, 'Open an order sheet, a map (TOML), a saved game of satjudge or the Python package “diplomacy”, batch lines, test cases of jDip, or results of “satjudge search --json”.'),
    make('label', {class: 'field'}, 'File ', file),
    make('label', {class: 'field'}, 'Or paste text ', text),
    make('button', {type: 'button', class: 'begin primary', onclick: () => open(new File([text.value], 'the text'))}, 'Open the text'), told, cases);

  const fail = error => {
    told.textContent = error.message;
    cases.replaceChildren();
    if (!dialog.open) dialog.showModal();
  };

  const open = async chosen => {
    told.textContent = '';
    cases.replaceChildren();
    try {
      const data = toBase64(await bytesOf(chosen));
      await read({ask: 'read', data, name: chosen.name.slice(0, 200)});
    } catch (error) {
      fail(error);
    }
    file.value = '';
  };

  const read = async asked => {
    const {opened, cases: listed} = await ask(asked);
    if (opened.length) {
      dialog.close();
      return addOpened(opened);
    }
    if (!dialog.open) dialog.showModal();
    cases.replaceChildren(make('li', {class: 'count'}, `${asked.name} contains ${listed.length} cases. Choose one:`),
      ...listed.map(({title, number}) => make('li', {}, make('button', {
        type: 'button', onclick: () => read({...asked, number}).catch(fail),
      }, title))));
    cases.querySelector('button')?.focus();
  };

  addEventListener('dragover', event => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', event => {
    document.body.classList.remove('dropping');
    const [dropped] = event.dataTransfer?.files ?? [];
    if (!dropped) return;
    event.preventDefault();
    open(dropped);
  });
  addTool('Open', 'open', dialog, () => {
    told.textContent = '';
    cases.replaceChildren();
  });
};
