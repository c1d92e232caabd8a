// Bands and arrows across the lanes: failures and quarantines of nodes, times without a majority, starts of the server, hand-overs, tokens. This module does not use the page.

/** The number of the latest holds among which hand-overs are searched. */
const MOST_HOLDS = 300;

/** How long after the next grant a release may be recorded, in ms. The server records a release once the nodes have answered. */
const LATE = 2_000;

/**
 * Returns the periods in which a node did not vote, as {node, state, from, to}, and the starts of the server.
 *
 * @param incidents the events of nodes and of the server, in any order
 * @param nodes the present states of the nodes
 */
export function bandsOf(incidents, nodes, startMillis, endMillis) {
  const bands = [];
  const open = new Map();
  const seen = new Set();
  const close = (node, at) => {
    const band = open.get(node);
    if (band) {
      bands.push({...band, to: at});
      open.delete(node);
    }
  };
  for (const {type, node, state, atMillis} of [...incidents].sort((one, other) => one.atMillis - other.atMillis)) {
    if (type === 'node-down') {
      close(node, atMillis);
      open.set(node, {node, state, from: atMillis});
    } else if (type === 'node-up') {
      if (!seen.has(node) && !open.has(node)) {
        bands.push({node, state: 'down', from: startMillis, to: atMillis}); // the node failed before the first known incident
      }
      close(node, atMillis);
    } else if (type === 'server-started') {
      [...open.keys()].forEach((one) => close(one, atMillis)); // the new run reports the nodes again
    }
    seen.add(node);
  }
  for (const {node, state, sinceMillis} of nodes) {
    if (open.has(node) && open.get(node).state !== state) {
      close(node, Math.max(open.get(node).from, sinceMillis)); // the incidents do not have its present state yet
    }
    if (state !== 'up' && !open.has(node)) {
      open.set(node, {node, state, from: sinceMillis});
    }
  }
  [...open.keys()].forEach((node) => close(node, endMillis));
  return {
    bands: bands.filter(({from, to}) => to > from && to > startMillis && from < endMillis).map((band) => ({...band, from: Math.max(startMillis, band.from), to: Math.min(endMillis, band.to)})),
    starts: incidents.filter(({type, atMillis}) => type === 'server-started' && atMillis > startMillis && atMillis < endMillis).map(({atMillis}) => atMillis),
  };
}

/** Returns the periods in which no majority of so many nodes voted, as {from, to}. */
export function outagesOf(bands, nodes) {
  const changes = bands.flatMap(({from, to}) => [{at: from, by: 1}, {at: to, by: -1}]).sort((one, other) => one.at - other.at || other.by - one.by);
  const outages = [];
  let missing = 0;
  for (const {at, by} of changes) {
    const had = nodes - missing > nodes / 2;
    missing += by;
    const has = nodes - missing > nodes / 2;
    if (had && !has) {
      outages.push({from: at, to: at});
    } else if (!had) {
      outages.at(-1).to = at;
    }
  }
  return outages.filter(({from, to}) => to > from);
}

/** Returns the hand-overs, each from the end of a hold to the next hold of a lane that was waiting at that time, as {from: {lane, at}, to: {lane, at}}. */
export function handOversOf(lanes) {
  const holds = lanes.flatMap((lane, index) => lane.segments.filter((segment) => segment.kind === 'held').map((segment) => ({lane: index, ...segment})))
    .sort((one, other) => one.from - other.from).slice(-MOST_HOLDS);
  const arrows = [];
  for (let i = 1; i < holds.length; i++) {
    const {lane, from} = holds[i];
    const wait = lanes[lane].segments.find((segment) => segment.kind === 'waiting' && Math.abs(segment.to - from) < 50);
    if (!wait) {
      continue;
    }
    const [before] = holds.slice(0, i).filter(({open, to}) => !open && to >= wait.from && to <= from + LATE)
      .sort((one, other) => Math.abs(one.to - from) - Math.abs(other.to - from));
    if (before && before.lane !== lane) {
      arrows.push({from: {lane: before.lane, at: before.to}, to: {lane, at: from}});
    }
  }
  return arrows;
}

/** Returns the steps of the tokens: when each was granted, and its rank among the shown ones. */
export function ladderOf(events, startMillis, endMillis) {
  const grants = events.filter(({type, token}) => type === 'granted' && token > 0);
  const before = grants.filter(({atMillis}) => atMillis <= startMillis).at(-1);
  const shown = [...(before ? [{...before, atMillis: startMillis}] : []), ...grants.filter(({atMillis}) => atMillis > startMillis && atMillis <= endMillis)];
  const ranks = [...new Set(shown.map(({token}) => token))].sort((one, other) => one - other);
  return shown.map(({atMillis, token}) => ({at: atMillis, token, rank: ranks.indexOf(token), of: ranks.length}));
}
