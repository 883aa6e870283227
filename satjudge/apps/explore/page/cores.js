// The cores of the position: by name, as a graph in step with the ring on the map, with their resolutions and the rule applied.
import {make, makeSvg} from './dom.js';
import {derived, question, subscribe, tell} from './store.js';

const SIZE = 240, REACH = 88, NODE = 22;
const SAID = {needs: 'needs', stopped: 'is stopped by'};  // what an arrow means (`CoreShown.ways`)

export const showCores = ({ask}) => {
  const frame = document.querySelector('#cores');
  let names = [];
  let contradictions = [];
  let turn = null;

  const learn = async () => {
    const mine = turn = {};
    names = [];
    contradictions = [];
    if (!derived.judged?.cores.length || derived.judged.unresolved) return;
    const [called, none] = await Promise.all([
      ask(question('names')).catch(() => []),
      derived.judged.cores.some(core => !core.resolutions.length) ? ask(question('no-resolution')).catch(() => []) : [],
    ]);
    if (mine !== turn) return;
    [names, contradictions] = [called, none];
    show();
  };

  const show = () => {
    const cores = derived.judged?.cores ?? [];
    frame.hidden = !cores.length;
    frame.replaceChildren(...(cores.length ? [make('h2', {}, cores.length > 1 ? 'Cores' : 'Core')] : []),
      ...cores.map((core, index) => card(core, index)));
  };

  const card = (core, index) => {
    const ruling = derived.judged.rulings.find(one => one.core.join() === core.decisions.join());
    const why = contradictions.find(one => one.core.join() === core.decisions.join());
    return make('article', {
      class: `core ${derived.core === index ? 'lit' : ''}`, 'data-core': index,
      onpointerenter: () => tell({core: index}), onpointerleave: () => tell({core: null, decision: null}),
    }, make('h3', {}, names[index] ?? core.kind), make('div', {class: 'both'}, graph(core, index), table(core)),
    ruling && derived.judged.cores.length > 1 && make('p', {class: 'ruling'}, `${number(core.resolutions.length)}; decided by ${ruling.name}`),
    why && make('details', {}, make('summary', {}, 'Why it has no resolution'), make('ol', {}, ...why.steps.map(step => make('li', {}, step)))));
  };

  subscribe(changed => {
    if (changed.has('judged')) {
      learn();
      show();
    } else if (changed.has('core') || changed.has('decision')) {
      for (const one of frame.querySelectorAll('.core')) one.classList.toggle('lit', Number(one.dataset.core) === derived.core);
      for (const one of frame.querySelectorAll('.decision')) one.classList.toggle('lit', one.dataset.decision === derived.decision);
    }
  });
};

const number = count => count === 0 ? 'no resolution' : count === 1 ? 'one resolution' : `${count} resolutions`;

// Which of its resolutions a core was ruled as.
const likeness = ({resolutions, ruled}) => {
  const same = resolutions.findIndex(values => values.every((value, at) => value === ruled[at]));
  return ruled.includes(null) ? '' : same < 0 ? ', like none' : `, like ${same + 1}`;
};

// The resolutions of a core: below each decision a column for each resolution.
const table = ({decisions, resolutions, words, ruled}) => resolutions.length > 0 && make('table', {class: 'resolutions'},
  make('thead', {}, make('tr', {}, ...resolutions.map((_, index) => make('th', {scope: 'col'}, String(index + 1))), make('th', {scope: 'col', class: 'ruled'}, `ruled${likeness({resolutions, ruled})}`))),
  ...decisions.map((decision, row) => make('tbody', {class: 'decision', 'data-decision': decision, onpointerenter: () => tell({decision})},
    make('tr', {}, make('th', {scope: 'rowgroup', colspan: resolutions.length + 1}, decision)),
    make('tr', {}, ...[...resolutions, ruled].map((values, at) => make('td', {class: at === resolutions.length && 'ruled'}, values[row] == null ? '' : words[row][values[row] ? 0 : 1]))))));

// The decisions on a ring; an arrow leads from each to those that its equation looks at.
const graph = ({decisions, provinces, edges, ways}, index) => {
  const at = decisions.map((_, place) => {
    const angle = 2 * Math.PI * place / decisions.length - Math.PI / 2;
    return {x: SIZE / 2 + REACH * Math.cos(angle), y: SIZE / 2 + REACH * Math.sin(angle)};
  });
  const tip = `tip-${index}`;
  const markers = ['', 'stopped'].map(way => makeSvg('marker', {id: tip + way, class: way, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'},
    makeSvg('path', {d: 'M0 0 8 4 0 8z'})));
  const [top, bottom] = [Math.min(...at.map(({y}) => y)) - NODE - 6, Math.max(...at.map(({y}) => y)) + NODE + 12];
  return makeSvg('svg', {class: 'graph', viewBox: `0 ${top} ${SIZE} ${bottom - top}`, role: 'img',
    'aria-label': edges.map(([one, other], at) => `${decisions[one]} ${SAID[ways[at]] || 'depends on'} ${decisions[other]}`).join('; ')},
  makeSvg('defs', {}, ...markers), ...edges.flatMap(([one, other], which) => {
    const stopped = ways[which] === 'stopped' ? 'stopped' : '';
    const path = makeSvg('path', {class: `edge ${stopped}`, d: arc(at[one], at[other]), 'marker-end': `url(#${tip}${stopped})`});
    const [x, y] = [(at[one].x + at[other].x) / 2, (at[one].y + at[other].y) / 2];
    return [path, ways[which] && makeSvg('text', {class: 'said', x, y, dy: '.35em'}, SAID[ways[which]])].filter(Boolean);
  }),
  ...decisions.map((decision, place) => makeSvg('g', {class: 'decision', 'data-decision': decision, transform: `translate(${at[place].x} ${at[place].y})`,
    onpointerenter: () => tell({decision})},
  makeSvg('title', {}, decision), makeSvg('circle', {r: NODE}), makeSvg('text', {dy: '.35em'}, provinces[place]))));
};

// A bent line between two circles, so that two that lead to and fro lie apart.
const arc = (from, to) => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = Math.min(18, length / 5);
  const middle = {x: (from.x + to.x) / 2 - uy * bend, y: (from.y + to.y) / 2 + ux * bend};
  const cut = (end, towards) => {
    const [x, y] = [towards.x - end.x, towards.y - end.y];
    const reach = Math.hypot(x, y) || 1;
    return `${(end.x + x / reach * (NODE + 2)).toFixed(1)} ${(end.y + y / reach * (NODE + 2)).toFixed(1)}`;
  };
  return `M${cut(from, middle)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${cut(to, middle)}`;
};
