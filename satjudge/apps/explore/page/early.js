// Answers what can be answered before satjudge has started: judges by the compiled kernel, which any browser runs at once. No
// rule is written here. What the kernel does not know, and whatever needs reasons, is answered by satjudge when it is there.
import {onGround} from './ground.js';
import {makeReader, provinceOf, provincesIn, spelled, withOrder} from './reading.js';

const PHASES = {M: 'movement', R: 'retreat', A: 'adjustment'};

// What is answered for satjudge until it is there; undefined where only satjudge knows. `config` is that of the site.
export const makeEarly = ({early}, known) => {
  const judges = new Map();
  let ground = null;
  // Promises the judge for a rulebook. Throws where there is none.
  const judgeBy = ({name, settings}) => {
    if (settings.length || !(name in early.tables)) throw new Error(`only satjudge itself knows ${name}`);
    if (!judges.has(name)) judges.set(name, loaded(early, name));
    return judges.get(name);
  };
  const begin = async () => (await known)['{"ask":"start"}'].answer;
  let reader = null;
  const read = async (sheet, {phase}) => {
    const told = (reader ??= makeReader(await begin()))(sheet, phase);
    if (!told) throw new Error('only satjudge itself can read this sheet');
    return told;
  };

  const answers = {
    start: begin,
    check: async ({positions, rules}) => {
      const judge = await judgeBy(rules);
      for (const position of positions) judge.judge(positionOf(position));
      return null;
    },
    judge: async ({position, sheet, rules}) => {
      const [judge, told] = await Promise.all([judgeBy(rules), read(sheet, position)]);
      const due = position.phase.endsWith('A') ? judge.due(wholeOf(position)) : null;
      return judged(judge.judge({...positionOf(position), orders: told.orders}), told, due ? owed(due, told.orders) : missing(position, told.orders), early);
    },
    choices: async ({position, rules, of = ''}) => {
      const legal = (await judgeBy(rules)).legalOrders(wholeOf(position), of);
      return Object.entries(legal).flatMap(([power, units]) => Object.entries(units).map(([what, orders]) => (
        {power, what, province: provinceOf(what), choices: orders.map(order => choiceOf(order, position.phase))})));
    },
    next: async ({position, sheet, rules, victory}) => {
      if (victory) return undefined;
      const [judge, {orders}] = await Promise.all([judgeBy(rules), read(sheet, position)]);
      const {judged: {results}, next: {units, centers = {}, dislodged = {}, phase}, ended} = judge.step({...wholeOf(position), orders});
      return {position: {...position, phase, units, centers, dislodged, attackers: attackersOf(dislodged, orders, results)}, ended};
    },
    draw: async ({position, shows, marks = 1}) => shows === 'after' || typeof shows === 'number' ? undefined
      : onGround(await (ground ??= fetched(early.ground)), (await begin()).provinces, position, marks),
    give: async ({position, sheet, power, what, order}) => order === 'WAIVE' ? undefined : withOrder(sheet, await read(sheet, position), power, provinceOf(what), order),
  };
  const isKnown = ({map = 'standard', phase = 'M'}) => map === early.map && phase.at(-1) in PHASES;

  return async question => {
    const about = [question.ask === 'start' && question, question.position, ...question.positions ?? []].filter(Boolean);
    if (!early || !(question.ask in answers) || !about.every(isKnown)) return undefined;
    try {
      return await answers[question.ask](question);
    } catch {  // refused, or a file that cannot be read
      return undefined;
    }
  };
};

// A position with all that the next one depends on.
const wholeOf = ({phase, units, centers = {}, dislodged = {}}) => ({phase, units, centers, ...(phase.endsWith('R') ? {dislodged} : {})});

// A legal order, with the provinces to press for it behind the unit: the unit that is helped first, twice if it holds.
const choiceOf = (order, phase) => {
  const {kind, presses} = spelled(order, phase);
  return {order, kind, presses: kind === 'supporthold' ? [...presses, ...presses] : presses};
};

const loaded = async ({module, kernel, tables}, name) => {
  const {load} = await import(new URL(module, document.baseURI));
  return load({kernel: new URL(kernel, document.baseURI), tables: new URL(tables[name], document.baseURI)});
};

const positionOf = ({phase, units, dislodged, centers = {}}) => (
  {phase: PHASES[phase.at(-1)], units, ...(phase.endsWith('R') ? {dislodged} : phase.endsWith('A') ? {centers} : {})});

const fetched = async name => {
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new Error(`${name} could not be loaded`);
  return response.text();
};

// The answer of the kernel as satjudge has it, but for reasons and for what is inside of a core.
const judged = ({results, units, dislodged = {}, resolutions = null, rulings = []}, {entries, headings}, left, {signs, rules}) => {
  const numbers = new Map();
  const shown = entries.map(({power, order, line}) => {
    const number = numbers.get(power) ?? 0;
    numbers.set(power, number + 1);
    const verdict = results[power][number], sign = signs[verdict], places = provincesIn(order);
    return {power, order, line, province: places[0], places, verdict, sign, illegal: verdict.startsWith('illegal') ? 'The reason follows in a moment.' : null};
  });
  return {
    early: true, orders: shown, dislodged, units, errors: [], headings, missing: left, resolutions,
    rulings: rulings.map(ruling => ({...ruling, name: rules[ruling.rule] ?? ruling.rule})),
    cores: rulings.map(({core}) => outline(core, rulings.length === 1 ? resolutions : 0)), unresolved: null,
  };
};

// A core of which its orders are known, and how many resolutions it has.
const outline = (core, resolutions) => {
  const unknown = core.map(() => null);
  return {
    kind: '…', decisions: core, provinces: core.map(order => provincesIn(order)[0]), edges: [], ways: [],
    resolutions: Array(resolutions).fill(unknown), words: [], ruled: unknown,
  };
};

// The units of each power that no order names.
const missing = ({phase, units, dislodged}, orders) => {
  const able = phase.endsWith('M') ? units : mapped(dislodged, of => Object.keys(of).filter(unit => of[unit].length));
  const left = mapped(able, (of, power) => {
    const named = new Set((orders[power] ?? []).map(order => provincesIn(order)[0]));
    return of.filter(unit => !named.has(provincesIn(unit)[0]));
  });
  return Object.fromEntries(Object.entries(left).filter(([, of]) => of.length));
};

// The builds or removals that each power has not ordered, in words.
const owed = (due, orders) => {
  const left = mapped(due, (count, power) => {
    const more = Math.abs(count) - (orders[power] ?? []).filter(order => order.endsWith(count > 0 ? ' B' : ' D')).length;
    return more > 0 ? [`${more} ${count > 0 ? 'build' : 'removal'}${more > 1 ? 's' : ''}`] : [];
  });
  return Object.fromEntries(Object.entries(left).filter(([, of]) => of.length));
};

// The provinces that the attackers of dislodged units came from, by those of the units.
const attackersOf = (dislodged, orders, results) => {
  const lost = new Set(Object.values(dislodged).flatMap(Object.keys).map(provinceOf));
  const moved = Object.entries(orders).flatMap(([power, of]) => of.filter((order, index) => results[power][index] === 'succeeds'));
  return Object.fromEntries(moved.map(order => provincesIn(order)).filter(([, to]) => lost.has(to)).map(([from, to]) => [to, from]));
};

const mapped = (byPower, change) => Object.fromEntries(Object.entries(byPower).map(([power, of]) => [power, change(of, power)]));
