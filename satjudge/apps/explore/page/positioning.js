// The map where the position is set: units, owners of centres, the phase and the map itself. What cannot be, satjudge refuses.
import {make} from './dom.js';
import {addNode, changeNode, derived, node, question, state, subscribe, tell} from './store.js';

const PHASES = {SM: 'Spring moves', SR: 'Spring retreats', FM: 'Fall moves', FR: 'Fall retreats', WA: 'Winter adjustments'};
const NOBODY = '';

// Lists by power, `{FRANCE: ['A PAR']}`, without what `drop` says, and with something more of a power.
const without = (lists, drop) => Object.fromEntries(Object.entries(lists)
  .map(([power, of]) => [power, of.filter(one => !drop(one))]).filter(([, of]) => of.length));
const withOne = (lists, power, one) => ({...lists, [power]: [...(lists[power] ?? []), one]});
const provinceOf = unit => unit.split(' ').at(-1).split('/')[0];
const codes = text => text.toUpperCase().split(/[\s,]+/).filter(Boolean);
const ownerIn = (lists, found) => Object.entries(lists).find(([, of]) => of.some(found))?.[0] ?? NOBODY;

export const positioning = (ask, board) => {
  let power = null, lostPower = null;  // of the next unit
  let at = null;  // the province whose palette is open
  let refusal = '';
  let queue = Promise.resolve();

  const position = () => node().position;
  const unitIn = province => {
    const owner = ownerIn(position().units, unit => provinceOf(unit) === province);
    return owner && {power: owner, unit: position().units[owner].find(unit => provinceOf(unit) === province)};
  };

  const lostIn = province => {
    for (const [owner, of] of Object.entries(position().dislodged ?? {})) {
      for (const [unit, places] of Object.entries(of)) if (provinceOf(unit) === province) return {power: owner, unit, places};
    }
    return null;
  };

  // Makes the position another, unless satjudge says that it cannot be.
  const edit = change => {
    queue = queue.then(async () => {
      const here = state.at;
      const next = change(position());
      try {
        await ask(question('choices', {position: next, sheet: ''}));
        refusal = '';
        if (state.at === here) changeNode({position: next});
      } catch (error) {
        refusal = error.message;
        if (at === null) tell({fault: error.fault ?? {message: refusal}});
      }
      palette();
      board.refresh();
    });
    return queue;
  };
  const setUnit = (province, owner, unit) => edit(now => {
    const units = without(now.units, one => provinceOf(one) === province);
    return {...now, units: unit ? withOne(units, owner, unit) : units};
  });
  // A dislodged unit with the places that it may retreat to, as text; `unit` is empty to take it away.
  const setLost = (province, owner, unit, places, from) => edit(now => {
    const kept = Object.entries(now.dislodged).map(([whose, of]) => [whose,
      Object.fromEntries(Object.entries(of).filter(([one]) => provinceOf(one) !== province))]);
    const dislodged = Object.fromEntries(kept.filter(([, of]) => Object.keys(of).length));
    const {[province]: _, ...attackers} = now.attackers;
    if (unit) dislodged[owner] = {...dislodged[owner], [unit]: codes(places)};
    return {...now, dislodged, attackers: unit && from ? {...attackers, [province]: codes(from)[0]} : attackers};
  });
  const setOwner = (province, owner) => edit(now => {
    const centers = without(now.centers, one => one === province);
    return {...now, centers: owner ? withOne(centers, owner, province) : centers};
  });

  const powers = (value, name, onchange, nobody) => {
    const choice = make('select', {'aria-label': name, onchange: () => onchange(choice.value)},
      nobody && make('option', {value: NOBODY}, nobody),
      ...Object.entries(derived.start.powers).map(([code, called]) => make('option', {value: code}, called)));
    choice.value = value;
    return make('label', {}, `${name} `, choice);
  };

  // A button for each unit that could be meant; satjudge says which can be.
  const unitButtons = (province, which, standing, set) => {
    const kinds = [['Army', `A ${province}`], ['Fleet', `F ${province}`], ...derived.start.provinces[province].coasts
      .map(coast => [`Fleet (${coast.toLowerCase()})`, `F ${province}/${coast}`]), ['No unit', '']];
    return make('div', {class: 'choices', role: 'group', 'aria-label': which || 'Unit'}, ...kinds.map(([label, unit]) => make('button', {
      type: 'button', 'data-set': `${which}${unit}`, 'aria-pressed': String(standing === unit), onclick: () => set(unit),
    }, label)));
  };

  // In a retreat phase: the unit that was dislodged there.
  const lostRows = (province, lost) => {
    const owner = lost?.power ?? lostPower ?? Object.keys(derived.start.powers)[0];
    const from = position().attackers?.[province] ?? '';
    const set = (whose, unit, places = lost?.places.join(' ') ?? '', came = from) => setLost(province, whose, unit, places, came);
    const field = (label, value, run) => {
      const input = make('input', {value, size: 9, 'data-set': label, onchange: () => run(input.value)});
      return make('label', {}, `${label} `, input);
    };
    return [make('strong', {}, 'Dislodged'),
      powers(owner, 'Power of the dislodged unit', value => {
        lostPower = value;
        if (lost) set(value, lost.unit);
        else palette();
      }),
      unitButtons(province, 'Dislodged', lost?.unit ?? '', unit => set(owner, unit)),
      lost && field('May retreat to', lost.places.join(' '), value => set(owner, lost.unit, value)),
      lost && field('Attacked from', from, value => set(owner, lost.unit, undefined, value))];
  };

  // Shows what is in the province that was pressed, and what may be put there.
  const palette = () => {
    if (at === null) return;
    const province = at, there = unitIn(province), about = derived.start.provinces[province];
    const owner = there ? there.power : power ?? Object.keys(derived.start.powers)[0];
    const focused = board.popup.holdsFocus() ? document.activeElement.dataset.set : null;
    board.openPopup(province, board.nameOf(province),
      powers(owner, 'Power', value => {
        power = value;
        if (there) setUnit(province, value, there.unit);
        else palette();
      }),
      unitButtons(province, '', there?.unit ?? '', unit => setUnit(province, owner, unit)),
      ...(position().phase.endsWith('R') ? lostRows(province, lostIn(province)) : []),
      about.centre && powers(ownerIn(position().centers, one => one === province), 'Centre of', value => setOwner(province, value), 'nobody'),
      make('p', {class: 'refused', role: 'alert'}, refusal));
    if (focused) board.popup.focus(`[data-set="${CSS.escape(focused)}"]`);
  };

  const letGo = () => {
    at = null;
    refusal = '';
    board.popup.close();
    board.refresh();
  };

  const self = {
    letGo,
    isBusy: () => at !== null,
    orderOf: () => null,
    settle: () => {},
    lines: () => [],
    draggable: () => self.places().filter(({province}) => unitIn(province)),
    grab: () => board.popup.close(),
    press: province => {
      refusal = '';
      at = province;
      power = unitIn(province)?.power ?? power;
      palette();
      board.refresh();
    },
    menu: province => self.press(province),
    clear: province => { if (unitIn(province)) setUnit(province, NOBODY, ''); },
    // A unit is dragged to another province, whose unit makes room.
    drop: (from, to) => {
      if (!to || to === from) return;
      const {power: owner, unit} = unitIn(from);
      edit(now => {
        const units = without(now.units, one => [from, to].includes(provinceOf(one)));
        return {...now, units: withOne(units, owner, `${unit[0]} ${to}`)};
      });
    },
    places: () => Object.keys(derived.start?.provinces ?? {}).map(province => {
      const there = unitIn(province);
      const owner = ownerIn(position().centers, one => one === province);
      const told = [there ? `${board.nameOfPower(there.power)}: ${there.unit}` : 'no unit', owner && `centre of ${board.nameOfPower(owner)}`];
      return {
        province, at: board.pointOf(province, there && {power: there.power, what: there.unit}),
        kind: province === at ? 'chosen' : 'place', pressed: province === at,
        label: `${board.nameOf(province)}: ${told.filter(Boolean).join(', ')}`,
      };
    }),
    hint: () => 'Choose a province to set its unit and owner, or drag a unit to move it. Delete removes a unit.',
    bar: showBar(ask, edit),
  };
  return self;
};

// The map, the phase, an empty board, the opening.
const showBar = (ask, edit) => {
  const maps = make('select', {'aria-label': 'Map', onchange: () => begin(maps.value)});
  const phase = make('select', {'aria-label': 'Phase', onchange: () => setPhase()},
    ...Object.entries(PHASES).map(([value, label]) => make('option', {value}, label)));
  const year = make('input', {type: 'number', 'aria-label': 'Year', min: 1, max: 99999, onchange: () => setPhase()});

  // Another map begins anew.
  const begin = async map => {
    try {
      const start = await ask({ask: 'start', map});
      tell({start});
      addNode(start.position, {parent: null});
    } catch (error) {
      tell({fault: error.fault ?? {message: String(error)}});
    }
  };
  const setPhase = () => edit(now => ({
    ...now, phase: `${phase.value[0]}${year.value}${phase.value[1]}`, ...(phase.value[1] === 'R' ? {} : {dislodged: {}, attackers: {}}),
  }));
  const nothing = {dislodged: {}, attackers: {}};
  const empty = () => edit(now => ({...now, ...nothing, units: {}, centers: {}}));
  const opening = () => edit(() => derived.start.position);

  subscribe(changed => {
    if (changed.has('start') && derived.start) {
      maps.replaceChildren(...derived.start.maps.map(name => make('option', {value: name}, name)));
    }
    if (!node() || !derived.start) return;
    const {map, phase: name} = node().position;
    const [, season, number, kind] = name.match(/^(.)(\d+)(.)$/) ?? [];
    maps.value = map;
    phase.value = `${season}${kind}`;
    if (document.activeElement !== year) year.value = number;
  });
  return make('div', {class: 'map-bar positions', hidden: true},
    make('label', {}, 'Map ', maps), phase, year,
    make('button', {type: 'button', onclick: empty}, 'Empty board'),
    make('button', {type: 'button', onclick: opening}, 'Opening'));
};
