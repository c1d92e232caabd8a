// The last ten minutes of a lock as a picture, with one lane for each owner.

import {el, setAttribute, setText, svg} from './dom.js';
import {lanesOf, windowOf} from './lanes.js';
import {clock, plural, span, who, whose} from './words.js';

const LANE = 30;
const TOP = 8;
const BOTTOM = 26;
const NARROW = 640;
const SHORT_MILLIS = 1_000;
const ENDS = {released: 'released', lost: 'lost', expired: 'not extended in time', broken: 'broken by an operator', left: 'left the line', gone: 'gone'};

export class Timeline {
  constructor() {
    this.picture = svg('svg', {class: 'timeline', role: 'img'});
    this.empty = el('p', {class: 'none'}, 'Nothing has happened to this lock in the last ten minutes.');
    this.note = el('p', {class: 'note'});
    this.element = el('div', {}, this.picture, this.empty, this.note, key());
  }

  /** @param from the times since when events and extensions are known: fromMillis, extendedFromMillis */
  draw(events, sightings, {fromMillis, extendedFromMillis}, nowMillis) {
    const {lanes, more, gapsFrom} = lanesOf(events, sightings, nowMillis);
    const width = Math.max(300, this.element.clientWidth);
    const narrow = width < NARROW;
    const labels = narrow ? 0 : Math.min(230, width * 0.22);
    const lane = narrow ? LANE + 16 : LANE;
    const height = TOP + (lanes.length + 1) * lane + BOTTOM;
    const known = more ? fromMillis : Math.min(fromMillis, ...lanes.flatMap((one) => one.segments.map((segment) => segment.from)));
    const wide = windowOf(known, nowMillis);
    const start = nowMillis - wide;
    const x = (at) => labels + ((Math.min(Math.max(at, start), nowMillis) - start) / wide) * (width - labels - 8);
    this.empty.hidden = lanes.length > 0;
    this.picture.toggleAttribute('hidden', lanes.length === 0);
    setAttribute(this.picture, 'viewBox', `0 0 ${width} ${height}`);
    setAttribute(this.picture, 'height', height);
    setAttribute(this.picture, 'aria-label', summary(lanes));
    setText(this.note, [
      more ? `${plural(more, 'earlier owner')} not shown.` : '',
      extendedFromMillis > Math.max(known, start) + SHORT_MILLIS ? `Extensions are known since ${clock(extendedFromMillis)}.` : '',
    ].filter(Boolean).join(' '));
    const frame = {x, width, height, labels, lane, narrow, start, nowMillis, known};
    this.picture.replaceChildren(...grid(frame), ...unknown(frame), ...nobody(frame, gapsFrom(Math.max(start, known))), ...lanes.flatMap((one, index) => drawLane(frame, one, index + 1)));
  }
}

function summary(lanes) {
  const told = lanes.slice(-6).map((lane) => `${who(lane.owner)} ${lane.segments.map((segment) => `${segment.kind === 'held' ? 'held it' : 'waited'} for ${span(segment.to - segment.from)}`).join(', then ')}`);
  return `The last ten minutes. ${told.join('; ')}. The events below say the same.`;
}

function grid({x, height, start, nowMillis, narrow}) {
  const minutes = (nowMillis - start) / 60_000;
  const step = minutes <= 2 ? 0.25 : minutes <= 5 ? 0.5 : 1;
  const named = step * (narrow ? minutes / step / 2 : 2);
  const marks = [];
  for (let minute = 0; minute <= minutes; minute += step) {
    const at = nowMillis - minute * 60_000;
    marks.push(svg('line', {class: 'grid', x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM + 4}));
    if (minute % named === 0) {
      const anchor = minute === 0 ? 'end' : minute === minutes ? 'start' : 'middle';
      const text = minute === 0 ? 'now' : minute < 1 ? `−${minute * 60} s` : `−${minute} min`;
      marks.push(svg('text', {class: 'axis', x: x(at), y: height - 6, 'text-anchor': anchor}, text));
    }
  }
  return marks;
}

/** Marks a period whose events this server does not know. */
function unknown({x, start, known, height}) {
  if (known <= start + 1000) {
    return [];
  }
  const wide = x(known) - x(start);
  return [
    svg('rect', {class: 'unknown', x: x(start), y: TOP, width: wide, height: height - TOP - BOTTOM}, svg('title', {}, 'Before this server began to look, or longer ago than it remembers')),
    wide > 90 ? svg('text', {class: 'axis', x: x(start) + 8, y: TOP + 16}, 'not known') : null,
  ].filter(Boolean);
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

function drawLane(frame, lane, index) {
  const y = TOP + index * frame.lane + frame.lane / 2 + (frame.narrow ? 8 : 0);
  const {x} = frame;
  const parts = [label(frame, index, who(lane.owner), `${whose(lane.owner)} ${lane.owner.owner}`, '')];
  for (const segment of lane.segments.filter((one) => one.to > frame.start)) {
    const high = segment.kind === 'held' ? 14 : 6;
    const end = segment.open ? 'still' : `until ${clock(segment.to)}${segment.end ? `, ${ENDS[segment.end] ?? ''}` : ''}`;
    parts.push(svg('rect', {class: segment.kind, x: x(segment.from), y: y - high / 2, width: Math.max(2, x(segment.to) - x(segment.from)), height: high, rx: high / 2.8},
      svg('title', {}, `${who(lane.owner)}: ${segment.kind} for ${span(segment.to - segment.from)}, from ${clock(segment.from)}, ${end}`)));
  }
  for (const mark of lane.marks.filter((one) => one.at > frame.start)) {
    parts.push(mark.kind === 'extended'
      ? svg('line', {class: 'extended', x1: x(mark.at), x2: x(mark.at), y1: y - 5, y2: y + 5}, svg('title', {}, `extended at ${clock(mark.at)}`))
      : svg('path', {class: 'loss', d: `M${x(mark.at) - 5} ${y - 5}l10 10m0 -10l-10 10`}, svg('title', {}, `${ENDS[mark.kind]} at ${clock(mark.at)}`)));
  }
  return parts;
}

function key() {
  const entry = (kind, text) => el('li', {}, el('i', {'data-kind': kind, 'aria-hidden': 'true'}), text);
  return el('ul', {class: 'key'}, entry('waiting', 'waits'), entry('held', 'holds'), entry('extended', 'extended'), entry('loss', 'lost or not extended'), entry('gap', 'no holder known'));
}
