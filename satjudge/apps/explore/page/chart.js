// The centre chart: how many centres each power had when each year was over, in step with the line of phases.
import {make} from './dom.js';
import {change, derived, otherPhases, state, subscribe, tell} from './store.js';
import {linesOf, pathTo} from './tree.js';

// The phases from the first of the game to the end of the line at hand.
const whole = () => {
  const line = linesOf(state.nodes).find(({phases}) => phases.some(one => one.id === state.at));
  return pathTo(state.nodes, line.phases.at(-1).id);
};

// The year whose centres a phase shows: the last that was over, or its own in winter.
const yearOf = ({phase}) => Number(phase.slice(1, -1)) - (phase.startsWith('W') ? 0 : 1);

export const showChart = ({ask}) => {
  const table = make('table', {});
  const scroller = make('div', {class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Centres by year'}, table);
  const victory = make('input', {type: 'number', min: 1, max: 1000, inputmode: 'numeric', placeholder: 'as on the map', onchange: () => {
    change({victory: victory.value === '' ? null : Math.min(1000, Math.max(1, Math.round(Number(victory.value)) || 1))});
  }});
  const panel = make('details', {class: 'chart fold', ontoggle: () => { if (panel.open) show(); }}, make('summary', {}, 'Centres by year'),
    scroller, make('label', {class: 'victory'}, 'Centres needed to win ', victory));

  let grown = false;  // whether there was more than one year once

  const show = () => {
    const {chart = []} = derived.charted ?? {};
    if (chart.length > 1 && !grown) {  // one column says little
      grown = true;
      panel.open = innerWidth > 760;
    }
    if (!panel.open || !state.at) return;
    const here = yearOf(state.nodes.find(one => one.id === state.at).position);
    const powers = Object.keys(chart[0]?.counts ?? {}).filter(power => chart.some(({counts}) => counts[power] > 0));
    const most = Math.max(1, ...chart.flatMap(({counts}) => Object.values(counts)));
    const nameOf = power => derived.start?.powers[power] ?? power;
    table.replaceChildren(
      make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Power'), ...chart.map(({year}) => make('th', {
        scope: 'col', class: year === here ? 'here' : '',
      }, make('button', {type: 'button', 'aria-current': year === here ? 'true' : false, onclick: () => goTo(year)}, String(year)))))),
      make('tbody', {}, ...powers.map(power => make('tr', {style: `--power: ${derived.start?.colours?.[power] ?? 'currentColor'}`}, make('th', {scope: 'row'}, make('span', {class: 'swatch', 'aria-hidden': 'true'}), nameOf(power)),
        ...chart.map(({year, counts, changes}) => cell(counts[power], changes[power], most, year === here))))));
    const column = table.querySelector('th.here');
    if (column) scroller.scrollLeft = column.offsetLeft - (scroller.clientWidth - column.offsetWidth) / 2;
    if (document.activeElement !== victory) victory.value = state.victory ?? '';
  };

  // To the last phase that shows the centres of that year.
  const goTo = year => {
    const there = whole().findLast(one => yearOf(one.position) === year);
    if (there) change({at: there.id});
  };

  let known = '', turn = null;
  const count = async () => {
    const positions = whole().map(({position: {map, phase, centers}}) => ({map, phase, centers, units: {}}));
    const key = JSON.stringify([positions, state.victory]);
    if (key === known) return show();
    known = key;
    const mine = turn = {};
    const charted = await ask({ask: 'chart', positions, victory: state.victory}).catch(() => null);
    if (mine === turn) tell({charted});
  };

  subscribe(changed => {
    if (!state.at) return;
    if (otherPhases(changed) || changed.has('victory')) count();
    if (changed.has('charted') || changed.has('start')) show();
  });
  return panel;
};

const cell = (count, more, most, here) => make('td', {class: here ? 'here' : ''},
  make('span', {class: 'bar', 'aria-hidden': 'true', style: `--part: ${count / most}`}),
  make('span', {class: 'count'}, String(count)), ' ', more !== 0 && make('span', {class: 'more'}, more > 0 ? `+${more}` : `−${-more}`));
