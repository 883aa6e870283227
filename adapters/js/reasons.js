// Says why an order is illegal, in the words of satjudge. What units could do is asked of the kernel, with the other units or
// without them; null where that does not tell.

const ORDER = /^(?:([AF]) )?([A-Z0-9_]+(?:\/[NSEW]C)?) (?:([HBD])|([-R]) (\S+)( VIA)?|([SC]) (?:[AF] )?(\S+)(?: - (\S+))?)$/;
const of = (location) => location.split("/")[0];
const placed = (unit) => unit.split(" ").at(-1);

/** Find the reason for the illegal order of a line; `legal` are the orders of its power that count, `before` those of them above it, among all that stand `above`. */
export function reasonFor(judge, position, line, { legal, before, above, isLegalAlone }) {
  const about = new Reasons(judge, position, line.power), parts = line.order.match(ORDER) ?? [];
  if (/A$|^adjustment$/.test(position.phase ?? "")) return about.adjustment(line.order, parts, before, above);
  const isRetreat = /R$|^retreat$/.test(position.phase ?? "");
  if (!isLegalAlone) return isRetreat ? about.retreat(parts) : about.movement(parts);
  const province = of(subject(line.order)), counting = legal.find((order) => of(subject(order)) === province);
  if (isRetreat) return `there are several orders for the unit in ${province} (4.D.3)`;
  return counting ? `the order that counts is ${counting} (4.D.3)` : "another order counts in its place";
}

const subject = (order) => order.match(/^(?:[AF] )?(\S+)/)[1];

class Reasons {
  constructor(judge, position, power) {
    Object.assign(this, { judge, position, power });
    this.name = judge.powers[power] ?? power;
    this.owned = (position.centers?.[power] ?? []).map(of);
  }

  /** Find whose unit stands in a province, and which. */
  at(province, key = "units") {
    for (const [power, units] of Object.entries(this.position[key] ?? {})) {
      const unit = (Array.isArray(units) ? units : Object.keys(units)).find((one) => of(placed(one)) === province);
      if (unit) return { power, unit, location: placed(unit), isArmy: unit.startsWith("A"), province };
    }
    return null;
  }

  /** List where a unit could go if it were alone, or on this board. */
  moves({ unit, power }, board = { units: { [Object.keys(this.judge.powers)[0]]: [unit] } }) {
    const own = board === this.position ? power : Object.keys(this.judge.powers)[0];
    return this.judge.legalOrders(board, unit)[own][unit].flatMap((order) => order.match(/ - (\S+)( VIA)?$/) && !/ [SC] /.test(order) ? [order.match(/ - (\S+)/)[1]] : []);
  }

  reached(unit, province) {
    return this.moves(unit).filter((place) => of(place) === province);
  }

  movement([, , place, hold, goes, to, via, helps, other, into]) {
    const unit = this.at(of(place ?? ""));
    if (!unit) return place ? `there is no unit in ${of(place)}` : null;
    if (unit.power !== this.power) return `${unit.unit} belongs to ${this.judge.powers[unit.power] ?? unit.power} (6.A.6)`;
    if (hold) return null;
    if (goes && unit.isArmy) return this.marched(unit, of(to), { via: Boolean(via) });
    if (goes) return this.sailed(unit, to) ?? (via ? `${unit.unit} cannot be convoyed: only armies are (4.E.1.via, 6.A.7)` : null);
    return helps === "C" ? this.convoyed(unit, of(other), of(into)) : this.supported(unit, of(other), into);
  }

  marched(army, to, { without = null, via = false } = {}) {
    const { province: from } = army, kinds = this.judge.provinces, byLand = this.reached(army, to).length > 0;
    if (byLand && !via) return null;
    if (to === from) return `${army.unit} is already in ${to} (6.A.4)`;
    if (kinds[to].kind === "sea") return `an army cannot move from ${from} to ${to}, which is a sea (6.A.2)`;
    const inland = [to, from].find((one) => kinds[one].kind === "inland");
    if (inland && byLand) return `no army can be convoyed from ${from} to ${to}: ${inland} is inland (4.A.3.fallback)`;
    if (inland) return `an army cannot move from ${from} to ${to}: not adjacent, and ${inland} is inland (6.A.1)`;
    if (!byLand && this.moves(army, this.position).includes(to)) {
      return without && kinds[without.province].kind === "sea" ? `only ${without.unit} could convoy an army from ${from} to ${to}, but it supports (6.D.31)` : null;
    }
    return `there are no fleets that could convoy an army from ${from} to ${to} (4.E.1, 6.D.32)`;
  }

  sailed(fleet, to, open = this.reached(fleet, of(to))) {
    if (!open.length) return `a fleet cannot move from ${fleet.location} to ${to} (6.A.3, 6.A.9)`;
    const { coasts } = this.judge.provinces[of(to)], coast = to.split("/")[1];
    if (coasts.includes(coast)) return open.includes(to) ? null : `a fleet in ${fleet.location} can reach ${open.join(" ")}, not ${to} (4.B.3)`;
    return open.length > 1 ? `${coast ? `there is no ${to}, and ` : ""}the coast must be named: ${open.join(" or ")} (4.B.1)` : null;
  }

  supported(unit, other, into) {
    const to = of(into ?? other), helped = this.at(other);
    const nobody = helped ? null : `there is no unit in ${other} to support`;
    if (into && nobody) return nobody;
    if (into && other === unit.province) return `${unit.unit} cannot support its own move (4.E.1)`;
    if (to === unit.province) return `${unit.unit} cannot support into its own province (6.A.8, 6.D.34)`;
    if (!this.reached(unit, to).length) return `${unit.unit} cannot support into ${to}: it could not move there (6.A.10)`;
    if (!into) return nobody;
    if (helped.isArmy) return this.marched(helped, to, { without: unit });
    const named = this.judge.provinces[to].coasts.includes(into.split("/")[1]) ? into : to;
    const open = this.reached(helped, to);
    return open.length && (named === to || open.includes(named)) ? null : `${helped.unit} cannot move to ${named} (6.D.22, 6.D.23)`;
  }

  convoyed(fleet, other, to) {
    if (fleet.isArmy || this.judge.provinces[fleet.province].kind !== "sea") return `only a fleet at sea can convoy, not ${fleet.unit} (6.F.1)`;
    const army = this.at(other);
    if (!army) return `there is no unit in ${other} to convoy`;
    if (!army.isArmy) return `${army.unit} is not an army, and only armies are convoyed (6.A.7)`;
    return `${fleet.unit} is not on a proper route from ${other} to ${to} (4.E.1, 6.G.19)`;
  }

  retreat([, , place, alone, goes, to, via]) {
    if (!goes && alone !== "D") return "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)";
    const lost = this.at(of(place), "dislodged");
    if (lost?.power !== this.power) return `${this.name} has no dislodged unit in ${of(place)}`;
    if (!goes) return null;
    const places = this.position.dislodged[this.power][lost.unit], open = places.filter((one) => of(one) === of(to));
    const named = lost.isArmy || !open.length ? null : this.sailed(lost, to);
    if (named || (open.length && !via)) return named;
    return open.length ? "no unit retreats by convoy (4.E.1.via)" : `${lost.unit} cannot retreat to ${to}; it can go to: ${places.join(", ") || "nowhere"}`;
  }

  adjustment(order, [, , place, sign], before, above) {
    const own = this.position.units?.[this.power] ?? [], due = this.owned.length - own.length;
    const done = (letter) => before.filter((one) => one.endsWith(letter));
    const spent = due <= 0 ? `${this.name} has nothing to build`
      : done("B").length + done("WAIVE").length >= due ? `${this.name} may build only ${due} (4.D.4)` : null;
    if (order === "WAIVE") return spent;
    if (sign === "B") {
      const obstacle = this.obstacle(order), rivals = above.filter((one) => one.endsWith(" B") && of(subject(one)) === of(place));
      return !obstacle && rivals.some((one) => !this.obstacle(one)) ? `there are several builds in ${of(place)} (4.D.5)` : (due > 0 && obstacle) || spent;
    }
    if (sign !== "D") return "only builds and removals are ordered in an adjustment phase";
    const unit = own.find((one) => of(placed(one)) === of(place));
    if (!unit) return `${this.name} has no unit in ${of(place)}`;
    if (due >= 0) return `${this.name} has no units to remove`;
    if (done("D").some((one) => of(subject(one)) === of(place))) return `${unit} is already removed (6.J.2)`;
    return done("D").length >= -due ? `${this.name} has only ${-due} to remove (4.D.6)` : null;
  }

  obstacle(order) {
    const [, kind, place] = order.match(ORDER), province = of(place);
    const { name, home, kind: terrain, coasts } = this.judge.provinces[province];
    if (home !== this.power) return `${name} is not a home supply centre of ${this.name} (6.I.6)`;
    if (!this.owned.includes(province)) return `${this.name} does not own ${name} (6.I.5)`;
    if (this.at(province)) return `${name} is not empty (6.I.3, 6.I.4)`;
    if (!kind && terrain !== "inland") return `army or fleet must be named in ${name} (4.C.3)`;
    if (kind !== "F" || (terrain !== "inland" && (!coasts.length || coasts.includes(place.split("/")[1])))) return null;
    if (terrain === "inland") return `a fleet cannot be inland in ${name} (4.C.4)`;
    return `F ${province} must name a coast that ${name} has: ${coasts.map((one) => `F ${province}/${one}`).join(" or ")} (4.B.7)`;
  }
}
