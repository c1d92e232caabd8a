// The events of a lock, the latest first. Consecutive extensions are one row.

import {el, keep, setText} from './dom.js';
import {clock, span, who, whose} from './words.js';

const MOST = 100;
const WORDS = {
  granted: 'got the lock', queued: 'stands in line', left: 'left the line without it', extended: 'extended its lease',
  released: 'gave it back', lost: 'lost it before its time was up', expired: 'did not extend it in time', broken: 'had its lease broken',
};

export class Events {
  constructor() {
    this.list = el('ol', {class: 'events'});
    this.empty = el('p', {class: 'none'}, 'None in the last ten minutes.');
    this.element = el('div', {class: 'events-box', tabindex: '0', role: 'region', 'aria-label': 'Events'}, this.list, this.empty);
  }

  show(events) {
    const lines = together(events).slice(-MOST).reverse();
    this.empty.hidden = lines.length > 0;
    keep(this.list, lines, (line) => line.key, makeLine, updateLine);
  }
}

/** The server grants the lock to the next client before it has answered the release, and reports the grant first. The list shows the release first. */
const ANSWER_MILLIS = 50;

function inOrder(events) {
  const sorted = [...events];
  for (let i = 1; i < sorted.length; i++) {
    const [before, event] = [sorted[i - 1], sorted[i]];
    const next = before.type === 'granted' && event.type === 'released' && before.owner !== event.owner;
    if (next && event.atMillis - before.atMillis < ANSWER_MILLIS) {
      [sorted[i - 1], sorted[i]] = [event, before];
    }
  }
  return sorted;
}

function together(events) {
  const lines = [];
  for (const event of inOrder(events)) {
    const last = lines.at(-1);
    if (event.type === 'extended' && last?.event.type === 'extended' && last.event.owner === event.owner) {
      last.times++;
      last.event = event;
    } else {
      lines.push({event, times: 1, key: `${event.atMillis} ${event.type} ${event.owner}`});
    }
  }
  return lines;
}

function makeLine() {
  return el('li', {}, el('time'), el('span', {class: 'kind'}), el('span', {class: 'what'}));
}

function updateLine(line, {event, times}) {
  const [time, kind, what] = line.children;
  setText(time, clock(event.atMillis));
  line.dataset.kind = event.type;
  setText(kind, event.type);
  setText(what, `${who(event)}${whose(event) ? ` (${whose(event)})` : ''} ${WORDS[event.type] ?? ''}${times > 1 ? `, ${times} times` : ''}${detail(event)}`);
}

function detail(event) {
  switch (event.type) {
    case 'queued': return ` at place ${event.place}`;
    case 'granted': return `, token ${event.token}`;
    case 'released': case 'expired': case 'lost': return event.sinceMillis ? ` after ${span(event.atMillis - event.sinceMillis)}` : '';
    case 'broken': return ` by ${event.operator}: ${event.reason}`;
    default: return '';
  }
}
