// Which order is meant by the provinces that are pressed one after the other. It knows neither rules nor the page: a press
// keeps those of the choices that it fits.

// The choices of what is ordered in a province, `{province, presses, candidates}`; null where there is nothing to order.
export const begin = (orderables, province) => {
  const candidates = orderables.filter(one => one.province === province)
    .flatMap(({power, what, choices}) => choices.map(choice => ({power, what, ...choice})));
  return candidates.length ? {province, presses: [], candidates} : null;
};

// The provinces that may be pressed next, each with the choices that it leads to.
export const lit = ({presses, candidates}) => {
  const found = new Map();
  for (const one of candidates) {
    const next = one.presses[presses.length];
    if (next !== undefined) found.set(next, [...(found.get(next) ?? []), one]);
  }
  return found;
};

// What is left after a press; null if the province is not lit.
export const press = (pressing, province) => {
  const candidates = lit(pressing).get(province);
  return candidates ? {...pressing, presses: [...pressing.presses, province], candidates} : null;
};

// The choices that are meant if nothing else is pressed.
export const meant = ({presses, candidates}) => candidates.filter(one => one.presses.length === presses.length);

const LISTED = 4;
const isSupport = ({kind}) => kind.startsWith('support');

// What to list where more than one choice fits; empty where the next press decides. What goes on elsewhere is listed while it
// is little. Moves stand first.
export const listed = pressing => {
  const here = meant(pressing);
  if (!here.length) return [];
  const last = pressing.presses.at(-1);
  const behind = pressing.candidates.filter(one => !here.includes(one));
  const near = behind.length > LISTED ? behind.filter(one => one.presses.at(-1) === last) : behind;
  const rank = one => Number(isSupport(one));
  return [...here, ...near].sort((one, other) => rank(one) - rank(other));
};
