// What may become state: the shape of what a link holds is read as strictly as satjudge reads what is in it.

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
const text = most => value => typeof value === 'string' && value.length <= most;
const whole = (least, most) => value => Number.isInteger(value) && value >= least && value <= most;
const oneOf = (...values) => value => values.includes(value);
const either = (...shapes) => value => shapes.some(shape => shape(value));
const list = (of, most) => value => Array.isArray(value) && value.length <= most && value.every(of);

// An object with any names; but for none that every object has (`constructor`, `__proto__`).
const lists = (of, most) => value => isObject(value) && Object.keys(value).length <= most
  && Object.entries(value).every(([name, one]) => name.length <= 60 && !(name in {}) && of(one));

// An object with these fields; those that may be missing are `optional`.
const fields = (needed, optional = {}) => {
  const all = new Map(Object.entries({...needed, ...optional}));
  return value => isObject(value) && Object.keys(needed).every(name => Object.hasOwn(value, name))
    && Object.entries(value).every(([name, one]) => all.get(name)?.(one));
};

const name = text(60);
const ofPowers = lists(list(name, 300), 100);

const isPosition = fields({units: ofPowers, map: name, phase: value => /^[SFW]\d{1,5}[MRA]$/.test(value)}, {
  centers: ofPowers, dislodged: lists(lists(list(name, 300), 300), 100), attackers: lists(name, 300),
});

const isNode = fields({
  id: whole(1, 1e9), parent: either(oneOf(null), whole(1, 1e9)), position: isPosition, sheet: text(100_000),
}, {name: text(300), about: text(20_000)});

const isShape = fields({
  rules: fields({name, settings: list(text(200), 200)}),
  nodes: list(isNode, 2000),
  at: whole(1, 1e9),
  view: either(oneOf('ruled', 'after', 'before'), whole(1, 1e6)),
  mode: oneOf('orders', 'position'),
  victory: either(oneOf(null), whole(1, 1000)),
});

// Whether each phase has an id of its own and follows one that stands before it.
const isTree = nodes => {
  const known = new Set([null]);
  return nodes.every(({id, parent}) => known.has(parent) && !known.has(id) && known.add(id));
};

// Whether this is all of a state (store.js).
export const isState = value => isShape(value) && isTree(value.nodes) && value.nodes.some(one => one.id === value.at);
