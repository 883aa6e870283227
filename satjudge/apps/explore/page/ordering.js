// The map where orders are given: units, then where they go. What may be pressed comes from satjudge (`choices`), and so does
// the sheet with the order in it (`give`).
import {changeNode, change, derived, node, question, state, tell} from './store.js';
import {tellBriefly} from './notice.js';
import {begin, listed, lit, meant, press} from './pressing.js';
import {list} from './popup.js';
import {make} from './dom.js';

const KINDS = {
  hold: 'hold', move: 'move', supporthold: 'support', supportmove: 'support', convoy: 'convoy', permission: 'let a fleet pass',
  retreat: 'retreat', disband: 'disband', build: 'build', remove: 'remove', decline: 'decline the build',
};
const kindOf = ({kind, order}) => kind === 'move' && order.endsWith(' VIA') ? 'move by convoy' : KINDS[kind];
const ORDER = ['hold', 'move', 'supporthold', 'supportmove', 'convoy', 'retreat', 'disband', 'build', 'remove', 'decline', 'permission'];
const HELPS = new Set(['hold', 'move', 'supporthold', 'supportmove', 'convoy']);  // orders of a movement phase
// What a press begins, by the kinds of what may be ordered: in retreats and in winter few places are meant, and these are marked.
const BEGINNINGS = {retreat: 'a dislodged unit and then its retreat', disband: 'a dislodged unit to disband it',
  build: 'a centre to build in', remove: 'a unit to remove it'};
// On a touch screen there is no Escape.
const lettingGo = () => matchMedia('(pointer: coarse)').matches ? 'Tap elsewhere to deselect.' : 'Press Escape to deselect.';
const kindsOf = choices => [...new Set(choices.map(({kind}) => KINDS[kind] ?? kind))].join(', ');

// `board` tells places and names and opens the popup; `board.refresh()` shows what has changed.
export const ordering = (ask, board) => {
  let pressing = null;
  let pending = [];
  let queue = Promise.resolve();

  const orderables = () => state.view === 'after' ? [] : derived.choices ?? [];
  const orderOf = ({power, province}) => derived.judged?.orders.find(one => one.power === power && one.province === province);
  const ownerOf = province => board.unitIn(province)?.power ?? null;

  // One order after the other: each goes into the sheet that the one before has made, and that the player may have typed in since.
  const write = async ({power, what, order}) => {
    const at = state.at;
    for (;;) {
      const before = node().sheet;
      const sheet = await ask(question('give', {power, what, order}));
      if (state.at !== at) return;
      if (node().sheet !== before) continue;
      if (typeof state.view === 'number') change({view: 'ruled'});
      if (order) tell({given: {power, order}});
      changeNode({sheet});
      return;
    }
  };
  const give = one => {
    const {province, presses = []} = one;
    letGo();
    pending = [[board.pointOf(province, one), ...presses.map(press => board.pointOf(press))]];
    board.refresh();
    board.focus(province);
    queue = queue.then(() => write(one)).catch(error => tell({fault: error.fault ?? {message: String(error)}}));
    return queue;
  };

  const letGo = () => {
    if (!pressing) return;
    pressing = null;
    board.popup.close();
    board.refresh();
  };

  // Lists choices at a place; what has an order already can be left without.
  const choose = (choices, province) => {
    const {power, what} = pressing.candidates[0];
    const standing = orderOf({power, province: pressing.province});
    const entries = choices.map(one => ({
      label: one.order, note: kindOf(one), run: () => give({...one, province: pressing.province}),
    }));
    if (standing && province === pressing.province) {
      entries.push({label: 'No order', note: `instead of ${standing.order}`, run: () => give({power, what, order: '', province})});
    }
    const goesOn = lit(pressing).size > 0 && pressing.presses.length > 0;
    board.openPopup(province, board.nameOf(province), list(entries), goesOn && make('p', {}, 'Or choose its destination on the map.'));
  };

  // Where a board has very many orders, those of a unit are asked for when it is pressed.
  const fill = async unfilled => {
    const [whole] = await ask(question('choices', {of: unfilled.what, sheet: ''}));
    if (whole && orderables().includes(unfilled)) tell({choices: derived.choices.map(one => one === unfilled ? whole : one)});
    return Boolean(whole) && orderables().includes(whole);
  };
  const start = province => {
    board.popup.close();
    const unfilled = orderables().find(one => one.more && one.province === province);
    if (unfilled) {
      fill(unfilled).then(filled => { if (filled) start(province); }, error => tell({fault: error.fault ?? {message: String(error)}}));
      return;
    }
    pressing = begin(orderables(), province);
    board.refresh();
    if (pressing && !lit(pressing).size) finish();
  };

  // The unit is pressed again: what is meant without going anywhere.
  const finish = () => {
    const choices = meant(pressing);
    const standing = orderOf({...pressing.candidates[0], province: pressing.province});
    if (choices.length === 1 && !standing) give({...choices[0], province: pressing.province});
    else if (choices.length || standing) choose(choices, pressing.province);
    else letGo();
  };

  const goOn = province => {
    pressing = press(pressing, province);
    board.popup.close();
    const choices = listed(pressing);
    board.refresh();
    if (choices.length === 1) give({...choices[0], province: pressing.province});
    else if (choices.length) choose(choices, province);
  };

  // All legal orders of what stands there; while a unit is pressed, those of its orders that go there.
  const menu = province => {
    const asked = pressing && lit(pressing).has(province) && pressing.province !== province ? lit(pressing).get(province) : null;
    const from = asked ? pressing.province : province;
    const unfilled = orderables().find(one => one.more && one.province === from);
    if (unfilled) {
      fill(unfilled).then(filled => { if (filled) menu(province); }, error => tell({fault: error.fault ?? {message: String(error)}}));
      return;
    }
    if (!asked) pressing = begin(orderables(), province);
    if (!pressing) return;
    board.refresh();
    const choices = asked ?? pressing.candidates;
    const {power, what} = choices[0];
    const standing = orderOf({power, province: from});
    const rank = one => ORDER.indexOf(one.kind);
    const entries = [...choices].sort((one, other) => rank(one) - rank(other))
      .map(one => ({label: one.order, note: kindOf(one), run: () => give({...one, province: from})}));
    if (standing) entries.push({label: 'No order', note: `instead of ${standing.order}`, run: () => give({power, what, order: '', province: from})});
    if (!asked && HELPS.has(choices[0].kind)) entries.push(...ofSeveral(standing, power));
    board.openPopup(province, `${board.nameOf(from)}${asked ? ` to ${board.nameOf(province)}` : ''}`, list(entries));
  };

  // What is ordered of several units at once: holds of a power, supports of the move at hand.
  const ofSeveral = (standing, power) => {
    const others = orderables().filter(one => one.power === power && one.what !== standing?.what);
    const alone = one => one.choices.find(({kind}) => kind === 'hold');
    const idle = others.filter(one => !orderOf(one) && alone(one));
    const moved = standing?.order.replace(/ VIA$/, '');
    const helps = moved?.includes(' - ') ? others.flatMap(one => one.choices.filter(({order}) => order.endsWith(` S ${moved}`))
      .map(choice => ({...choice, power, what: one.what, province: one.province}))) : [];
    return [
      helps.length && {label: `All support ${moved}`, note: `${helps.length} ${helps.length === 1 ? 'unit' : 'units'}`, run: () => giveAll(helps)},
      idle.length && {label: `${board.nameOfPower(power)}: all others hold`, note: `${idle.length} ${idle.length === 1 ? 'unit' : 'units'}`,
        run: () => giveAll(idle.map(one => ({...alone(one), power, what: one.what, province: one.province})))},
    ].filter(Boolean);
  };
  const giveAll = async several => { for (const one of several) await give(one); };

  const label = (province, choices) => {
    const whole = choices.length === 1 && choices[0].presses.length === pressing.presses.length + 1;
    return `${board.nameOf(province)}: ${whole ? choices[0].order : kindsOf(choices)}`;
  };
  const isDue = ({choices = []}) => choices.some(({kind}) => kind in BEGINNINGS);
  const beginning = () => {
    if (node().position.phase.endsWith('M') && node().sheet.trim()) return '';  // who has ordered a unit knows how
    const kinds = new Set(orderables().flatMap(({choices}) => choices.map(({kind}) => kind)));
    if (kinds.has('retreat')) kinds.delete('disband');
    const told = Object.keys(BEGINNINGS).filter(kind => kinds.has(kind)).map(kind => BEGINNINGS[kind]);
    return told.length ? `Choose ${told.join(', or ')}.` : 'Choose a unit and then its destination, or drag the unit there.';
  };
  const unitPlace = one => {
    const told = orderOf(one);
    const ordered = told ? `${told.order}, ${told.verdict}` : 'no order';
    return {
      province: one.province, at: board.pointOf(one.province, one), kind: `unit${told ? ' ordered' : ''}${isDue(one) ? ' due' : ''}`,
      label: `${board.nameOfPower(one.power)}: ${one.what}, ${board.nameOf(one.province)}; ${ordered}`,
    };
  };

  // Where the unit can go on its own is in sight.
  const showTargets = () => {
    const targets = pressing?.candidates.filter(({kind, order}) => ['move', 'retreat'].includes(kind) && !order.endsWith(' VIA')).map(({presses}) => presses[0]) ?? [];
    if (targets.length) board.bringAll([pressing.province, ...targets]);
  };

  // Says why what is pressed does not go there, as satjudge says of the order.
  const refuse = async province => {
    if (!province || !pressing || province === pressing.province || pressing.presses.length || !node().position.phase.endsWith('M')) return;
    const {power, what} = pressing.candidates[0], from = pressing.province;
    const sheet = await ask(question('give', {power, what, order: `${what} - ${province}`}));
    const {orders, errors} = await ask(question('judge', {sheet}));
    const told = orders.find(one => one.power === power && one.province === from);
    const why = told?.illegal ?? errors[0]?.message;
    if (why) tellBriefly(`${told?.order ?? `${what} - ${province}`}: ${why}`);
  };

  const self = {
    selects: true,
    selected: () => pressing?.province ?? null,
    refuse: province => refuse(province).catch(error => tell({fault: error.fault ?? {message: String(error)}})),
    // The order given last is selected as soon as it is judged.
    judged: () => {
      const {given, judged} = derived;
      if (given && judged?.orders.some(one => one.power === given.power && one.order === given.order)) tell({asked: given, given: null});
    },
    letGo,
    menu,
    isBusy: () => pressing !== null,
    orderOf: province => derived.judged?.orders.find(one => one.province === province) ?? null,
    draggable: () => [...new Map(orderables().map(one => [one.province, unitPlace(one)])).values()],
    grab: start,
    drop: (from, to) => {
      const there = to && to !== from && pressing && lit(pressing).get(to);
      const moves = there && there.filter(({kind, presses}) => kind === 'move' && presses.length === 1);
      if (moves?.length) {  // a unit that is dragged moves, whoever stands there
        const plain = moves.filter(({order}) => !order.endsWith(' VIA'));
        pressing = press(pressing, to);
        board.refresh();
        if (plain.length === 1 || moves.length === 1) give({...(plain[0] ?? moves[0]), province: from});
        else choose(plain.length ? plain : moves, to);
      } else if (there) goOn(to);
      else if (to !== from) letGo();
    },
    // What the picture shows now is no longer under way.
    settle: () => { pending = []; },
    lines: () => pending.filter(points => points.length > 1).map(points => ({points, kind: 'pending'})),
    press: province => {
      if (pressing && lit(pressing).has(province)) goOn(province);
      else if (pressing?.province === province) (pressing.presses.length ? start : finish)(province);
      else if (orderables().some(one => one.province === province)) {
        start(province);
        showTargets();
      }
      else letGo();
    },
    clear: province => {
      const one = orderables().find(found => found.province === province);
      if (one && orderOf(one)) give({power: one.power, what: one.what, order: '', province});
    },
    places: () => {
      if (!pressing) return self.draggable();
      const chosen = {...unitPlace({...pressing.candidates[0], province: pressing.province}), kind: 'chosen', pressed: true};
      const others = [...lit(pressing)].filter(([province]) => province !== pressing.province).map(([province, choices]) => ({
        province, at: board.pointOf(province), kind: `lit ${choices[0].kind}${ownerOf(province) ? ' occupied' : ''}`, label: label(province, choices),
      }));
      return [chosen, ...others];
    },
    hint: () => {
      if (state.view === 'after') return 'This is the position afterwards. To give orders, choose the first tab.';
      if (!pressing) return orderables().length ? beginning() : 'No orders are possible in this phase.';
      const {what} = pressing.candidates[0];
      if (pressing.presses.length) {
        const last = pressing.presses.at(-1);
        const goesOn = lit(pressing).size ? `choose that unit’s destination${lit(pressing).has(last) ? ', or the unit again if it stays' : ''}` : 'choose from the list';
        return `${what} ${board.unitIn(last) ? 'with the unit in' : 'to'} ${board.nameOf(last)}: ${goesOn}.`;
      }
      const alone = meant(pressing);
      if (!lit(pressing).size) return `${board.nameOf(pressing.province)}: choose from the list. ${lettingGo()}`;
      return `${what}: choose its destination${alone.length ? `, or the unit again to ${kindsOf(alone)}` : ''}. ${lettingGo()}`;
    },
  };
  return self;
};
