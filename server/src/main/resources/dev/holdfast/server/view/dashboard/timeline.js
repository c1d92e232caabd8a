// The history of a lock as a picture, with one lane for each owner.

import {bandsOf, handOversOf, ladderOf, outagesOf} from './bands.js';
import {el, setAttribute, setText, svg} from './dom.js';
import {lanesOf, windowOf} from './lanes.js';
import {stepOf} from './range.js';
import {brief, clock, plural, shortNames, span, visible, who, whose} from './words.js';

const LANE = 30;
const LADDER = 52;
const TOP = 22;
const BOTTOM = 26;
const NARROW = 640;
const SHORT_MILLIS = 1_000;
const DID = {held: 'held it', waiting: 'waited', asked: 'waited for it or held it'};
const ENDS = {released: 'released', lost: 'lost', expired: 'not extended in time', broken: 'broken by an operator', left: 'left the queue', moved: 'continued at another server', gone: 'gone'};
const STATES = {down: 'down', quarantined: 'in quarantine', refused: 'refused'};

export class Timeline {
  constructor() {
    this.picture = svg('svg', {class: 'timeline', role: 'img'});
    this.empty = el('p', {class: 'none'}, 'No event is known in this time.');
    this.note = el('p', {class: 'note'});
    this.element = el('div', {}, this.picture, this.empty, this.note, key());
  }

  /** Returns the time at this position of the screen, as a part of the width of the lanes. */
  partAt(clientX) {
    const box = this.picture.getBoundingClientRect();
    const {labels = 0, width = 1} = this.frame ?? {};
    return Math.min(1, Math.max(0, (clientX - box.left - labels) / (width - labels - 8)));
  }

  /**
   * Draws the lanes.
   *
   * @param known the times since when events and extensions are known, the incidents, the present nodes, and the holders
   * @param rangeOf returns the range to draw from the usual length
   */
  draw(events, sightings, {fromMillis, extendedFromMillis, incidents, nodes, holders}, nowMillis, rangeOf) {
    const all = lanesOf(events, sightings, nowMillis, 0, holders);
    const first = all.more ? fromMillis : Math.min(fromMillis, ...knownStarts(all.lanes));
    const {start, end, cursor} = rangeOf(windowOf(first, nowMillis));
    const until = cursor ?? end;
    const shownEvents = events.filter((event) => event.atMillis <= until);
    const replayed = cursor === null ? sightings : {seen: new Map()};
    const {lanes, more, moreWaiters, gapsFrom} = lanesOf(shownEvents, replayed, until, start, cursor === null ? holders : [], end === nowMillis);
    const known = more ? fromMillis : Math.min(fromMillis, ...knownStarts(lanes));
    const width = Math.max(300, this.element.clientWidth);
    const narrow = width < NARROW;
    const labels = narrow ? 0 : Math.min(230, width * 0.22);
    const lane = narrow ? LANE + 16 : LANE;
    const floor = TOP + (lanes.length + 1) * lane;
    const height = floor + LADDER + BOTTOM;
    const x = (at) => labels + ((Math.min(Math.max(at, start), end) - start) / (end - start)) * (width - labels - 8);
    this.empty.hidden = lanes.length > 0;
    setAttribute(this.picture, 'viewBox', `0 0 ${width} ${height}`);
    setAttribute(this.picture, 'height', height);
    setAttribute(this.picture, 'aria-label', summary(lanes, start, end));
    setText(this.note, [
      hiddenText(more - moreWaiters, moreWaiters),
      extendedFromMillis > Math.max(known, start) + SHORT_MILLIS ? `Extensions are known since ${clock(extendedFromMillis)}.` : '',
    ].filter(Boolean).join(' '));
    const {bands, starts} = bandsOf(incidents, nodes, start, until);
    const frame = {x, width, height, floor, labels, lane, narrow, start, end, until, live: end === nowMillis, known, outages: outagesOf(bands, nodes.length)};
    this.frame = frame;
    this.picture.replaceChildren(...grid(frame), ...bands.map((band) => drawBand(frame, band)), ...bandNames(frame, bands), ...unknown(frame), ...nobody(frame, gapsFrom(Math.max(start, known))),
      ...lanes.flatMap((one, index) => drawLane(frame, one, index + 1)), ...handOversOf(lanes).filter(({to}) => to.at > start).map((arrow) => drawArrow(frame, arrow)),
      ...drawLadder(frame, ladderOf(shownEvents, start, until)), ...starts.map((at) => vertical(frame, at, 'restart', `This server started at ${clock(at)}`)),
      ...(cursor === null ? [] : [vertical(frame, cursor, 'cursor', `Replay: ${clock(cursor)}`)]));
  }
}

function knownStarts(lanes) {
  return lanes.flatMap((lane) => lane.segments.filter(({kind}) => kind !== 'asked').map((segment) => segment.from));
}

function hiddenText(owners, waiters) {
  const texts = [waiters ? plural(waiters, 'later waiter') : '', owners ? plural(owners, 'earlier owner') : ''].filter(Boolean);
  return texts.length > 0 ? `Not shown: ${texts.join(' and ')}.` : '';
}

function summary(lanes, start, end) {
  const recent = lanes.slice(-6).map((lane) => `${who(lane.owner)} ${lane.segments.map((segment) => `${DID[segment.kind]} for ${span(segment.to - segment.from)}`).join(', then ')}`);
  return `From ${clock(start)} to ${clock(end)}. ${recent.join('; ')}. The events below list the same.`;
}

function grid({x, height, start, end, live, narrow}) {
  const step = stepOf(end - start, narrow ? 3 : 8);
  const marks = [];
  for (let back = 0; back <= end - start; back += step) {
    const at = live ? end - back : Math.floor(end / step) * step - back;
    if (at < start) {
      break;
    }
    const part = (at - start) / (end - start);
    marks.push(svg('line', {class: 'grid', x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM + 4}));
    const text = !live ? (step < 1000 ? `${clock(at)}.${String(Math.round(at % 1000)).padStart(3, '0')}` : clock(at)) : back === 0 ? 'now' : `−${back < 60_000 ? brief(back).replace('.0', '') : span(back).replace(/ 0 s$/, '')}`;
    marks.push(svg('text', {class: 'axis', x: x(at), y: height - 6, 'text-anchor': part > 0.97 ? 'end' : part < 0.05 ? 'start' : 'middle'}, text));
  }
  return marks;
}

/** Marks a period whose events this server does not know. */
function unknown({x, start, end, known, floor, narrow}) {
  if (known <= start + (end - start) / 100) {
    return [];
  }
  const wide = x(known) - x(start);
  return [
    svg('rect', {class: 'unknown', x: x(start), y: TOP, width: wide, height: floor - TOP}, svg('title', {}, 'This server was not running yet, or no longer has these events')),
    wide > 90 ? svg('text', {class: 'axis', x: x(start) + 8, y: narrow ? floor - 6 : TOP + 16}, 'not known') : null,
  ].filter(Boolean);
}

function drawBand({x, floor}, {node, state, from, to}) {
  return svg('rect', {class: `band ${state}`, x: x(from), y: 4, width: Math.max(2, x(to) - x(from)), height: floor - 4}, svg('title', {}, `${visible(node)} ${STATES[state] ?? state} for ${span(to - from)}, from ${clock(from)}`));
}

/** Names the nodes above their bands. Bands that begin together have one text; a text without room for it is left out. */
function bandNames({x}, bands) {
  const texts = [];
  for (const {node, state, from, to} of [...bands].sort((one, other) => one.from - other.from)) {
    const last = texts.at(-1);
    if (last && last.state === state && x(from) - last.x < 2) {
      last.names.push(shortNames([node])[0]);
      last.until = Math.min(last.until, x(to));
    } else {
      texts.push({state, x: x(from), until: x(to), names: [shortNames([node])[0]]});
    }
  }
  let free = 0;
  return texts.map(({state, x: at, until, names}) => {
    const text = `${names.sort().join(', ')} ${STATES[state] ?? state}`;
    const wide = text.length * 6.5;
    if (wide > until - at || at < free) {
      return null;
    }
    free = at + wide;
    return svg('text', {class: `band-name ${state}`, x: at + 5, y: 16}, text);
  }).filter(Boolean);
}

function vertical({x, height}, at, kind, title) {
  return svg('line', {class: kind, x1: x(at), x2: x(at), y1: 4, y2: height - BOTTOM}, svg('title', {}, title));
}

function nobody(frame, gaps) {
  const y = TOP + frame.lane / 2 + (frame.narrow ? 8 : 0);
  return [
    label(frame, 0, 'no holder known', '', 'quiet'),
    ...gaps.map((gap) => svg('rect', {class: 'gap', x: frame.x(gap.from), y: y - 3, width: Math.max(1, frame.x(gap.to) - frame.x(gap.from)), height: 6, rx: 3},
      svg('title', {}, `No holder is known for ${span(gap.to - gap.from)}, from ${clock(gap.from)}`))),
  ];
}

function label({labels, lane, narrow}, index, text, detail, kind) {
  const y = narrow ? TOP + index * lane + 12 : TOP + index * lane + lane / 2 + 4;
  const most = narrow ? 40 : Math.floor(labels / 7.6);
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return svg('text', {class: `owner ${kind}`, x: 0, y}, cut, svg('title', {}, detail ? `${text}, ${detail}` : text));
}

function middle(frame, index) {
  return TOP + index * frame.lane + frame.lane / 2 + (frame.narrow ? 8 : 0);
}

function drawLane(frame, lane, index) {
  const y = middle(frame, index);
  const {x} = frame;
  const parts = [label(frame, index, who(lane.owner), `${whose(lane.owner)} ${lane.owner.owner}`, '')];
  for (const segment of lane.segments.filter((one) => one.to > frame.start && one.from < frame.end)) {
    const high = segment.kind === 'waiting' ? 6 : 14;
    const end = segment.open ? 'still' : `until ${clock(segment.to)}${segment.end ? `, ${ENDS[segment.end] ?? ''}` : ''}`;
    parts.push(svg('rect', {class: segment.kind, x: x(segment.from), y: y - high / 2, width: Math.max(2, x(segment.to) - x(segment.from)), height: high, rx: high / 2.8},
      svg('title', {}, `${who(lane.owner)}: ${segment.kind === 'asked' ? 'waiting, then held; only its server knows since when:' : segment.kind} for ${span(segment.to - segment.from)}, from ${clock(segment.from)}, ${end}`)));
  }
  for (const {from, to} of lane.segments.filter((one) => one.kind === 'held').flatMap((one) => uncertainParts(frame, one))) {
    parts.push(svg('rect', {class: 'uncertain', x: x(from), y: y - 7, width: Math.max(2, x(to) - x(from)), height: 14, rx: 5},
      svg('title', {}, `${who(lane.owner)}: uncertain for ${span(to - from)}, from ${clock(from)}, since no majority of nodes voted`)));
  }
  for (const mark of lane.marks.filter((one) => one.at > frame.start && one.at <= frame.until)) {
    parts.push(mark.kind === 'extended'
      ? svg('line', {class: 'extended', x1: x(mark.at), x2: x(mark.at), y1: y - 5, y2: y + 5}, svg('title', {}, `extended at ${clock(mark.at)}`))
      : svg('path', {class: 'loss', d: `M${x(mark.at) - 5} ${y - 5}l10 10m0 -10l-10 10`}, svg('title', {}, `${ENDS[mark.kind]} at ${clock(mark.at)}`)));
  }
  return parts;
}

/** Returns the parts of a hold in which no majority of nodes voted. */
function uncertainParts({outages, start, end}, hold) {
  return outages.map(({from, to}) => ({from: Math.max(from, hold.from, start), to: Math.min(to, hold.to, end)})).filter(({from, to}) => to > from);
}

function drawArrow(frame, {from, to}) {
  const [x1, y1, x2, y2] = [frame.x(from.at), middle(frame, from.lane + 1), frame.x(to.at), middle(frame, to.lane + 1)];
  const down = y2 > y1 ? 1 : -1;
  const tip = y2 - down * 8;
  return svg('path', {class: 'hand-over', d: `M${x1} ${y1 + down * 8}L${x2} ${tip}m-3 ${-down * 5}l3 ${down * 5}l3 ${-down * 5}`}, svg('title', {}, `hand-over at ${clock(to.at)}`));
}

function drawLadder(frame, steps) {
  if (steps.length === 0) {
    return [];
  }
  const {x, floor, until} = frame;
  const low = floor + LADDER - 8;
  const y = ({rank, of}) => low - (of < 2 ? 0.5 : rank / (of - 1)) * (LADDER - 24);
  let path = `M${x(steps[0].at)} ${y(steps[0])}`;
  steps.slice(1).forEach((step) => {
    path += `H${x(step.at)}V${y(step)}`;
  });
  const last = steps.at(-1);
  return [
    ...(frame.narrow ? [] : [svg('text', {class: 'quiet', x: 0, y: floor + LADDER / 2 + 4}, 'token')]),
    svg('path', {class: 'ladder', d: `${path}H${x(until)}`}),
    ...steps.map((step) => svg('circle', {class: 'rung', cx: x(step.at), cy: y(step), r: 3}, svg('title', {}, `token ${step.token}, granted at ${clock(step.at)}`))),
    svg('text', {class: 'axis', x: x(until) - 4, y: y(last) - 7, 'text-anchor': 'end'}, String(last.token)),
  ];
}

function key() {
  const entry = (kind, text) => el('li', {}, el('i', {'data-kind': kind, 'aria-hidden': 'true'}), text);
  return el('ul', {class: 'key'}, entry('waiting', 'waits'), entry('held', 'holds'), entry('asked', 'waited, then held: the time of the grant is not known here'), entry('uncertain', 'held, uncertain without a majority'), entry('extended', 'extended'), entry('loss', 'lost, broken or not extended'), entry('gap', 'no holder known'), entry('down', 'a node is down'), entry('quarantined', 'a node is in quarantine'), entry('restart', 'this server started'));
}
