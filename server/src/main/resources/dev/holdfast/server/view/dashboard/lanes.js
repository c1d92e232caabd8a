// Lanes from events and from the observed states of the nodes: when each owner waited for a lock and when it held it. This module does not use the page.

export const WINDOW_MILLIS = 600_000;
const MOST_LANES = 24;
/** The lanes that remain for owners that no longer hold or wait, however long the queue is. */
const FORMER_LANES = 8;
const UNSEEN_MILLIS = 2_500;

/** The states of the nodes that were observed while the page was open. For owners that are not clients of this server there is no other source. */
export class Sightings {
  constructor() {
    this.seen = new Map();
    this.places = new Map();
  }

  /** Adds the state that the nodes report, if a majority does. */
  add(status) {
    if (status.state === 'unknown') {
      return;
    }
    status.holders.filter((holder) => holder.hasMajority).forEach((holder) => this.see('held', holder, status.atMillis));
    status.waiters.forEach((waiter) => this.see('waiting', waiter, status.atMillis));
    this.places = new Map(status.waiters.map(({owner}, index) => [withoutRound(owner), index]));
    this.lastMillis = status.atMillis;
    for (const [key, sighting] of this.seen) {
      if (sighting.to < status.atMillis - WINDOW_MILLIS) {
        this.seen.delete(key);
      }
    }
  }

  see(kind, owner, atMillis) {
    const id = withoutRound(owner.owner);
    const key = `${kind} ${id}`;
    const sighting = this.seen.get(key);
    if (sighting) {
      sighting.to = atMillis;
      return;
    }
    const since = owner.sinceMillis && (owner.sinceExact || kind === 'waiting') ? owner.sinceMillis : atMillis;
    this.seen.set(key, {kind, owner: {...owner, owner: id}, from: Math.min(since, atMillis), to: atMillis});
  }
}

function withoutRound(owner) {
  return owner.replace(/^([^/]+\/\d+)\/\d+$/, '$1');
}

/** Returns the part of the last ten minutes to draw: the known part. */
export function windowOf(knownFromMillis, nowMillis) {
  return [60_000, 120_000, 300_000].find((millis) => nowMillis - knownFromMillis <= millis) ?? WINDOW_MILLIS;
}

/**
 * Returns the lanes: the earliest at the top, and the present waiters at the bottom in the order of the queue. A lane has an owner, segments (waiting, held, or asked: one of the two, from, to), and marks (extended, lost, expired). A client with
 * many attempts has one lane, or as many as it has simultaneous attempts. The present holders always have a lane, even if they acquired the lock long ago, are
 * uncertain without a majority, or hold it through another server, which alone knows the time of the grant. Of too many lanes, those of the present owners come first: the latest holders, then the waiters in the order of the queue.
 */
export function lanesOf(events, sightings, nowMillis, startMillis = nowMillis - WINDOW_MILLIS, holders = [], isPresent = true) {
  const lanes = new Map();
  events.forEach((event) => event.owner && apply(laneOf(lanes, event), event));
  for (const sighting of sightings.seen.values()) {
    applySighting(laneOf(lanes, sighting.owner), sighting, sightings.lastMillis);
  }
  for (const holder of holders.filter(({sinceMillis}) => isPresent || sinceMillis < nowMillis)) {
    const lane = laneOf(lanes, {...holder, owner: withoutRound(holder.owner)});
    lane.holds = isPresent;
    applyHold(lane, holder, nowMillis, isPresent);
  }
  events.filter((event) => event.type === 'broken' && !event.owner).forEach((event) => applyBreak(lanes, event));
  lanes.forEach((lane) => (lane.segments = lane.segments.filter((segment) => segment.from <= nowMillis))); // the rest comes after the time that is shown
  const attempts = [...lanes.values()].filter((lane) => lane.segments.some((segment) => (segment.to ?? nowMillis) > startMillis));
  attempts.forEach((lane) => lane.segments.forEach((segment) => {
    segment.open = segment.to === null;
    segment.to ??= nowMillis;
  }));
  attempts.forEach((lane) => (lane.place = sightings.places?.get(lane.owner.owner) ?? Infinity));
  attempts.sort((one, other) => one.segments[0].from - other.segments[0].from);
  const packed = packedBySubject(attempts);
  const chosen = chosenOf(packed);
  const drawn = packed.filter((lane) => chosen.has(lane) || lane.holds);
  const next = drawn.filter(onlyWaits).sort(inQueueOrder);
  const shown = [...drawn.filter((lane) => !onlyWaits(lane)), ...next];
  const hidden = packed.filter((lane) => !chosen.has(lane) && !lane.holds);
  const moreWaiters = hidden.filter((lane) => isOpen(lane, 'waiting')).length;
  return {lanes: shown, more: hidden.length, moreWaiters, gapsFrom: (fromMillis) => gapsOf(packed, fromMillis, nowMillis)};
}

/** Adds the hold of a present holder, as far as events and observed states do not show it. */
function applyHold(lane, {uncertain, sinceMillis, sinceExact}, nowMillis, isPresent) {
  const held = lane.segments.filter((segment) => segment.kind === 'held');
  const ended = uncertain && held.length > 0; // an event knows the end better
  if (!ended && !held.some((segment) => segment.to === null) && (isPresent || sinceExact)) {
    begin(lane, 'held', sinceExact ? sinceMillis : nowMillis);
  }
  const known = Math.min(nowMillis, ...lane.segments.map((segment) => segment.from));
  if (sinceMillis < known) {
    lane.segments.unshift({kind: sinceExact ? 'held' : 'asked', from: sinceMillis, to: known, end: null});
  }
}

function isOpen(lane, kind) {
  return lane.segments.some((segment) => segment.kind === kind && segment.open);
}

function onlyWaits(lane) {
  return isOpen(lane, 'waiting') && !isOpen(lane, 'held');
}

/** Returns the lanes to draw. */
function chosenOf(lanes) {
  const holders = lanes.filter((lane) => isOpen(lane, 'held')).reverse();
  const waiters = lanes.filter(onlyWaits).sort(inQueueOrder);
  const former = lanes.filter((lane) => !isOpen(lane, 'held') && !isOpen(lane, 'waiting')).sort((one, other) => other.until - one.until);
  const now = [...holders, ...waiters].slice(0, MOST_LANES - Math.min(former.length, FORMER_LANES));
  return new Set([...now, ...former.slice(0, MOST_LANES - now.length)]);
}

/** Compares waiters by their known places. A waiter without a place has just joined, or the timeline shows the past. */
function inQueueOrder(one, other) {
  return one.place - other.place || waitsSince(one) - waitsSince(other);
}

function waitsSince(lane) {
  return lane.segments.find((segment) => segment.kind === 'waiting' && segment.open).from;
}

/** Places consecutive attempts of the same client in the same lane, if they do not overlap. */
function packedBySubject(attempts) {
  const lanes = [];
  for (const attempt of attempts) {
    const subject = subjectOf(attempt.owner);
    const lane = lanes.find((one) => one.subject === subject && one.until <= attempt.segments[0].from);
    const until = Math.max(...attempt.segments.map((segment) => segment.to));
    if (lane) {
      lane.segments.push(...attempt.segments);
      lane.marks.push(...attempt.marks);
      lane.until = until;
      lane.place = attempt.place;
      lane.holds ||= attempt.holds;
    } else {
      lanes.push({subject, until, ...attempt});
    }
  }
  return lanes;
}

function subjectOf(owner) {
  return owner.label ? `${owner.client} ${owner.label}` : owner.client ?? owner.owner.replace(/\/\d+(\/\d+)?$/, '');
}

function laneOf(lanes, owner) {
  let lane = lanes.get(owner.owner);
  if (!lane) {
    lane = {owner, segments: [], marks: []};
    lanes.set(owner.owner, lane);
  }
  lane.owner = {...owner, ...(lane.owner.client ? lane.owner : {})};
  return lane;
}

function open(lane, kind) {
  return lane.segments.find((segment) => segment.kind === kind && segment.to === null);
}

function begin(lane, kind, from) {
  const segment = {kind, from, to: null, end: null};
  lane.segments.push(segment);
  return segment;
}

function close(lane, kind, event) {
  const segment = open(lane, kind) ?? begin(lane, kind, event.sinceMillis || event.atMillis);
  segment.to = event.atMillis;
  segment.end = event.type;
}

function apply(lane, event) {
  switch (event.type) {
    case 'queued':
      begin(lane, 'waiting', event.atMillis);
      break;
    case 'left':
      close(lane, 'waiting', event);
      break;
    case 'granted':
      if (open(lane, 'waiting')) {
        close(lane, 'waiting', event);
      }
      begin(lane, 'held', event.atMillis);
      break;
    case 'adopted':
      open(lane, 'held') ?? begin(lane, 'held', event.atMillis);
      break;
    case 'moved':
      close(lane, 'held', event);
      break;
    case 'extended':
      open(lane, 'held') ?? begin(lane, 'held', event.sinceMillis || event.atMillis);
      lane.marks.push({kind: 'extended', at: event.atMillis});
      break;
    default:
      close(lane, 'held', event);
      if (event.type !== 'released') {
        lane.marks.push({kind: event.type, at: event.atMillis});
      }
  }
}

/** Marks the break of a lease that belongs to no client of this server. Its event has the token only. */
function applyBreak(lanes, {token, atMillis}) {
  const known = [...lanes.values()].find((one) => one.owner.token === token && one.segments.some((segment) => segment.kind === 'held'));
  const lane = known ?? laneOf(lanes, {owner: `token ${token}`, token});
  const segment = lane.segments.findLast((one) => one.kind === 'held') ?? begin(lane, 'held', atMillis);
  segment.to = atMillis;
  segment.end = 'broken';
  lane.marks.push({kind: 'broken', at: atMillis});
}

/**
 * Extends a lane if the nodes confirm its state, or ends it if they are sure that the state has ended. A broken lease is no longer held, even before its client
 * notices.
 */
function applySighting(lane, sighting, lastMillis) {
  let segment = lane.segments.findLast((one) => one.kind === sighting.kind);
  const waited = lane.segments.findLast((one) => one.kind === 'waiting' && (one.to === null || one.end === 'gone'));
  if (sighting.kind === 'held' && waited) {
    waited.to = segment?.from ?? sighting.from; // the state changed in between
    waited.end = 'granted';
  }
  if (!segment) {
    const later = lane.segments.find((one) => one.kind === 'held');
    segment = begin(lane, sighting.kind, sighting.from);
    if (sighting.kind === 'waiting' && later) {
      segment.to = later.from;
      lane.segments.sort((one, other) => one.from - other.from);
      return;
    }
  }
  if (segment.end === 'moved' && sighting.to > segment.to) {
    segment.to = null; // another server serves the lease
    segment.end = null;
  }
  const gone = lastMillis - sighting.to > UNSEEN_MILLIS || (lastMillis > sighting.to && sighting.kind === 'waiting');
  if (segment.to === null && gone) {
    segment.to = sighting.to;
    segment.end = 'gone';
  }
}

/** Returns the times between these limits when the lock had no holder, as far as the lanes know. */
export function gapsOf(lanes, fromMillis, nowMillis) {
  const held = lanes.flatMap((lane) => lane.segments).filter(({kind}) => kind === 'held' || kind === 'asked').sort((one, other) => one.from - other.from);
  const gaps = [];
  let free = fromMillis;
  for (const segment of held) {
    if (segment.from > free) {
      gaps.push({from: free, to: segment.from});
    }
    free = Math.max(free, segment.to);
  }
  if (free < nowMillis) {
    gaps.push({from: free, to: nowMillis});
  }
  return gaps;
}
