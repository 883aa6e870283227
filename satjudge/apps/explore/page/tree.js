// The phases as a tree, of lists of {id, parent, position, sheet, name, about}; a parent stands before its children.

export const childrenOf = (nodes, id) => nodes.filter(one => one.parent === id);

// What was played after a phase.
export const descendants = (nodes, id) => childrenOf(nodes, id).flatMap(one => [one.id, ...descendants(nodes, one.id)]);

// The phases from the first to this one.
export const pathTo = (nodes, id) => {
  const path = [];
  for (let one = nodes.find(other => other.id === id); one; one = nodes.find(other => other.id === one.parent)) path.unshift(one);
  return path;
};

// The lines of play, each with the phase that it branches off: `{off, phases}`. A line goes on with the first child of a phase;
// lines that branch off stand below it, the earliest first.
export const linesOf = (nodes, parent = null) => {
  const [first, ...others] = childrenOf(nodes, parent);
  if (!first) return [];
  const lineFrom = head => {
    const phases = [head];
    for (let [next] = childrenOf(nodes, head.id); next; [next] = childrenOf(nodes, next.id)) phases.push(next);
    return [{off: head.parent, phases}, ...phases.flatMap(phase => childrenOf(nodes, phase.id).slice(1).flatMap(lineFrom))];
  };
  return [first, ...others].flatMap(lineFrom);
};

// What only one line has: what comes after the last phase at which another branches off.
export const ownOf = (nodes, line) => {
  const fork = line.phases.findLastIndex(phase => childrenOf(nodes, phase.id).length > 1);
  return line.phases.slice(fork + 1);
};

// The same value for positions that are the same, whatever the order in which they are listed. Where attackers came from is left
// out: saved games do not tell.
export const keyOf = position => {
  const sorted = value => Array.isArray(value) ? value.map(sorted).sort()
    : value && typeof value === 'object' ? Object.keys(value).sort().map(key => [key, sorted(value[key])]) : value;
  const {map, phase, units, centers = {}, dislodged = {}} = position;
  return JSON.stringify([map, phase, ...[units, centers, dislodged].map(sorted)]);
};
