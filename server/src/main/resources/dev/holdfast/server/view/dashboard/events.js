// The events of a lock, the latest first. Consecutive extensions are one row.

import {el, keep, setText} from './dom.js';
import {brief, clock, visible, who, whose} from './words.js';

const MOST = 100;
const WORDS = {
  granted: 'acquired the lock', queued: 'joined the queue', left: 'left the queue without the lock', extended: 'extended its lease',
  released: 'released its lease', lost: 'lost its lease before the ttl ended', expired: 'did not extend its lease in time', broken: 'lost its lease to a break',
  adopted: 'continued its lease at this server', moved: 'used its lease at another server since',
};

export class Events {
  constructor() {
    this.list = el('ol', {class: 'events'});
    this.empty = el('p', {class: 'none'}, 'No events in the last ten minutes.');
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
  setText(what, describe(event, times));
}

/** Returns a sentence for an event. */
export function describe(event, times = 1) {
  if (!event.owner) {
    return `The lease with token ${event.token} was broken${detail(event)}`; // by its token, an operator breaks the lease of any client
  }
  return `${who(event)}${whose(event) ? ` (${whose(event)})` : ''} ${WORDS[event.type] ?? ''}${times > 1 ? `, ${times} times` : ''}${detail(event)}`;
}

function detail(event) {
  switch (event.type) {
    case 'queued': return ` at position ${event.place}`;
    case 'granted': case 'adopted': return `, token ${event.token}`;
    case 'released': case 'expired': case 'lost': return event.sinceMillis ? `, held for ${brief(event.atMillis - event.sinceMillis)}` : '';
    case 'broken': return ` by ${visible(event.operator)}: ${visible(event.reason)}`;
    default: return '';
  }
}
