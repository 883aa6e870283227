// Saving: pictures, the order sheet, the game, the report, each as a file that the browser downloads from the page itself.
import {make, readSvg} from './dom.js';
import {derived, node, question, state, tell} from './store.js';
import {addTool, makeDialog} from './dialog.js';
import {pathTo} from './tree.js';

const WIDTHS = [800, 1200, 2400, 4000];

const download = (name, blob) => {
  const address = URL.createObjectURL(blob);
  make('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

const path = () => pathTo(state.nodes, state.at);
const nameOfGame = () => path()[0].name || 'game';
// What a file is called: `game-S1901M.svg`, whatever the game is called.
const fileName = ending => `${nameOfGame().replace(/[^\p{L}\p{N}_+-]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'game'}-${node().position.phase}.${ending}`;

// The picture as it is shown, drawn by the browser with so many pixels across.
const drawnAs = async (ask, width) => {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const text = await ask(question('draw', {shows: state.mode === 'position' ? 'before' : state.view, ...derived.look, width, theme}));
  const svg = readSvg(text);
  const [, , wide, high] = svg.getAttribute('viewBox').split(' ').map(Number);
  const address = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = make('canvas', {width, height: Math.round(width * high / wide)});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(blob => blob ? resolve(blob) : reject(new Error('your browser cannot draw a picture of this size')), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
};

const written = (ask, format) => ask({
  ask: 'write', format, rules: state.rules, victory: state.victory, name: nameOfGame(),
  line: path().map(({position, sheet}) => ({position, sheet})),
});

const FILES = [
  ['sheet', 'Order sheet', 'sheet.txt', 'the position and orders of this phase, for “satjudge judge” and “satjudge explain”'],
  ['game', 'Saved game', 'json', 'all phases up to this one, in the format of the Python package “diplomacy”'],
  ['report.md', 'Report as Markdown', 'md', 'results, position and centre chart, for a forum'],
  ['report.txt', 'Report as text', 'txt', 'the same, for an e-mail'],
];

export const showExports = ({ask}) => {
  const told = make('p', {role: 'alert', class: 'fault'});
  const save = async work => {
    told.textContent = '';
    try {
      await work();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const button = (label, about, work, ...beside) => make('li', {}, make('button', {type: 'button', onclick: () => save(work)}, label),
    ...beside, make('small', {}, about));
  const width = make('select', {'aria-label': 'Width of the picture'},
    ...WIDTHS.map(one => make('option', {value: one, selected: one === 2400}, `${one} pixels wide`)));
  const dialog = makeDialog('Save', {class: 'save'}, make('ul', {class: 'files'},
    button('Picture as SVG', 'as shown, for any size', () => {
      if (!derived.picture) throw new Error('there is no picture yet');
      download(fileName('svg'), new Blob([derived.picture], {type: 'image/svg+xml'}));
    }),
    button('Picture as PNG', 'as shown', async () => download(fileName('png'), await drawnAs(ask, Number(width.value))), width),
    ...FILES.map(([format, label, ending, about]) => button(label, about, async () =>
      download(fileName(ending), new Blob([await written(ask, format)], {type: 'text/plain;charset=utf-8'}))))), told);
  addTool('Save', 'save', dialog, () => { told.textContent = ''; });
};
