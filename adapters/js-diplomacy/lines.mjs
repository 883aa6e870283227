// Asks js-diplomacy (npm) by batch lines, in movement phases; where units stand and which are dislodged is told.
//
//     node lines.mjs FOLDER        (the folder in which `npm install js-diplomacy` was run)
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const diplomacy = createRequire(resolve(process.argv[2] ?? ".", "package.json"))("js-diplomacy");
const { standardMap, standardRule, standardBoard } = diplomacy;
const { Board, MilitaryBranch, Order, Phase, Rule, State, Unit, Utils } = standardRule;
const OTHER_CODES = { LYO: "GoL", MAO: "Mid", NAO: "NAt", NWG: "Nrg", TYS: "Tyn" };
const KINDS = { A: MilitaryBranch.Army, F: MilitaryBranch.Fleet };
const POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
const turn = new standardBoard.Turn(1901, standardBoard.Season.Spring);

// The engine's locations by our codes, and the other way round: STP/NC is StP_NC there.
const theirs = new Map(), ours = new Map();
for (const [key, location] of Object.entries(standardMap.locations)) {
  const code = Object.keys(OTHER_CODES).find((one) => OTHER_CODES[one] === key) ?? key.toUpperCase().replace("_", "/");
  theirs.set(code, location);
  ours.set(location, code);
}

class Skip extends Error {}

function place(code) {
  if (!theirs.has(code)) throw new Skip(`it has no place ${code}`);
  return theirs.get(code);
}

const text = (unit) => `${unit.militaryBranch === MilitaryBranch.Army ? "A" : "F"} ${ours.get(unit.location)}`;

// A fleet's order to a province with several coasts, as it is written: the engine knows the coast that the fleet can reach by its name alone.
function readOrder(words, unitAt) {
  const [kind, where, sign, ...rest] = words.split(" ");
  if (!KINDS[kind]) throw new Skip("it takes no order without the kind of its unit");
  const unit = unitAt(kind, where);
  if (sign === "H") return new Order.Hold(unit);
  if (sign === "-" && rest.length > 1 + (rest[1] === "VIA")) throw new Skip("it has no routes of convoys");
  if (sign === "-") return new Order.Move(unit, place(rest[0]), rest[1] === "VIA");
  const target = unitAt(rest[0], rest[1]);
  const helped = rest[2] === "-" ? new Order.Move(target, place(rest[3])) : new Order.Hold(target);
  if (sign === "S") return new Order.Support(unit, helped);
  if (sign === "C") return new Order.Convoy(unit, helped);
  throw new Skip(`it has no order ${words}`);
}

function answer(request) {
  if ((request.phase ?? "movement") !== "movement") throw new Skip("movement phases only");
  if (request.map && request.map !== "standard") throw new Skip(`it has no map ${request.map}`);
  const units = [], owner = new Map();
  for (const [power, list] of Object.entries(request.units))
    for (const one of list) {
      const [kind, where] = one.split(" ");
      const unit = new Unit(KINDS[kind], place(where), POWERS.indexOf(power) + 1);
      units.push(unit);
      owner.set(unit, power);
    }
  const unitAt = (kind, where) =>
    units.find((unit) => unit.location.province === place(where).province && text(unit)[0] === kind) ??
    new Unit(KINDS[kind], place(where), 0); // no unit of the board: the engine refuses its order
  const rule = new Rule();
  const board = new Board(standardMap.map, new State(turn, Phase.Movement), units, [], []);
  const orders = new Map(units.map((unit) => [unit, new Order.Hold(unit)]));
  const ordered = new Set();
  for (const [power, list] of Object.entries(request.orders ?? {}))
    for (const words of list) {
      const order = readOrder(words, unitAt);
      if (ordered.has(order.unit)) throw new Skip("it takes one order for a unit");
      ordered.add(order.unit);
      const refused = owner.get(order.unit) !== power || rule.errorOfOrder(board, order);
      if (!refused) orders.set(order.unit, order); // an order that it refuses is a hold, as a game would make of it
    }
  const { result } = rule.phaseRules.get(Phase.Movement).resolver.resolve(board, new Set(orders.values()));
  const after = {}, dislodged = {};
  for (const unit of result.board.units) {
    const power = POWERS[unit.power - 1], status = result.board.unitStatuses.get(unit);
    if (!status) (after[power] ??= []).push(text(unit));
    else {
      const retreats = Utils.locationsToRetreat(result.board, unit, status.attackedFrom);
      (dislodged[power] ??= {})[text(unit)] = [...retreats].map((location) => ours.get(location));
    }
  }
  return { units: after, dislodged };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let told;
  try {
    told = answer(request);
  } catch (error) {
    told = error instanceof Skip ? { skip: error.message } : { error: { kind: "raised", message: String(error?.message ?? error) } };
  }
  console.log(JSON.stringify({ id: request.id, ...told }));
}
