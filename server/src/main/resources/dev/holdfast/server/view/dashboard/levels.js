// Columns of the wait-for graph: a waiter is left of its holder, as far as there are no circles. This module does not use the page.

/** Returns the column of each client, 0 for the leftmost. */
export function levelsOf(clients, waits) {
  const next = Array.from({length: clients}, () => []);
  waits.forEach(({waiter, holder}) => waiter !== holder && next[waiter].push(holder));
  const levels = new Array(clients).fill(0);
  // In a graph without circles the longest path has fewer edges than there are clients; with circles the limit ends the loop.
  for (let round = 0, moved = true; moved && round < Math.min(clients, 12); round++) {
    moved = false;
    for (let waiter = 0; waiter < clients; waiter++) {
      for (const holder of next[waiter]) {
        if (levels[holder] <= levels[waiter] && !leads(next, holder, waiter)) {
          levels[holder] = levels[waiter] + 1;
          moved = true;
        }
      }
    }
  }
  return spread(levels, waits);
}

/** Returns whether a path leads from one client to the other. */
function leads(next, from, to) {
  const seen = new Set([from]);
  const open = [from];
  while (open.length > 0) {
    const at = open.pop();
    if (at === to) {
      return true;
    }
    next[at].filter((one) => !seen.has(one)).forEach((one) => seen.add(one) && open.push(one));
  }
  return false;
}

/** Places the clients of a circle, which share a column, in alternate columns, so that their arrows are visible. */
function spread(levels, waits) {
  const spreadLevels = levels.map((level) => level * 2);
  waits.filter(({circle}) => circle !== null).forEach(({waiter, holder}) => {
    if (waiter !== holder && spreadLevels[waiter] === spreadLevels[holder]) {
      spreadLevels[holder] += 1;
    }
  });
  const used = [...new Set(spreadLevels)].sort((one, other) => one - other);
  return spreadLevels.map((level) => used.indexOf(level));
}
