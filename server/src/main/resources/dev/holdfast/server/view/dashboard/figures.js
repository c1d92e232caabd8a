// A summary of all locks in five numbers.

import {el, setAttribute, setText} from './dom.js';
import {serverNow} from './server.js';
import {isCertain} from './votes.js';
import {count, plural, span, visible, who} from './words.js';

/** On a narrow screen the figures fold away, so that the locks come first. */
const narrow = matchMedia('(max-width: 760px)');
const TITLES = {held: 'Held', waiting: 'Waiting', lost: 'Lost, last 5 min', hold: 'Longest hold', wait: 'Longest wait'};

export class Figures {
  constructor() {
    this.parts = {};
    this.list = el('dl', {class: 'figures'});
    this.summary = el('summary', {}, 'Figures');
    this.element = el('details', {class: 'glance'}, this.summary, this.list);
    const fold = () => this.element.toggleAttribute('open', !narrow.matches);
    narrow.addEventListener('change', fold);
    fold();
    for (const [key, title] of Object.entries(TITLES)) {
      const number = el('dd', {class: 'number'}, '–');
      const note = el('dd', {class: 'note'});
      const tile = el('div', {class: 'figure card', 'data-figure': key, 'data-tone': 'quiet'}, el('dt', {}, title), number, note);
      this.parts[key] = {tile, number, note};
      this.list.append(tile);
    }
  }

  update(overview) {
    const {states} = overview;
    const certain = isCertain(overview);
    const others = [states.undecided && `${states.undecided} undecided`, states.sealed && `${states.sealed} sealed`, states.unknown && `${states.unknown} uncertain`].filter(Boolean);
    this.set('held', certain ? count(states.held) : states.held === 0 ? '?' : `≥ ${count(states.held)}`, overview.unread ? `${plural(overview.unread, 'lock')} still to be read` : others.join(', ') || (overview.complete ? 'of ' + plural(overview.locks, 'lock') + ' in use' : 'of more than 10,000'), states.held ? '' : 'quiet');
    const waiting = overview.waiting - overview.standingBy;
    const standingBy = overview.standingBy ? `${plural(overview.standingBy, 'candidate')} standing by` : '';
    this.set('waiting', certain ? count(waiting) : '?', !certain ? 'not known' : standingBy || (waiting ? 'in queues, first come, first served' : 'no client waits'), waiting && certain ? 'wait' : 'quiet');
    const lost = overview.lost + overview.expired;
    this.showLost(lost);
    this.set('lost', null, lost ? [overview.lost && `${overview.lost} lost or broken`, overview.expired && `${overview.expired} expired`].filter(Boolean).join(', ') : 'clients released every lease', lost ? 'bad' : 'quiet');
    this.setSince('hold', overview.longestHold, certain, '', certain ? 'no lock is held' : 'not known');
    setText(this.summary, `Figures: ${this.parts.held.number.textContent} held, ${this.parts.waiting.number.textContent} waiting, ${count(lost)} lost`);
    this.setSince('wait', overview.longestWait, certain, 'wait', certain ? 'no client waits' : 'not known');
  }

  /** The number of lost leases leads to these leases. */
  showLost(lost) {
    const {number} = this.parts.lost;
    if (lost === 0) {
      setText(number, '0');
    } else if (number.firstElementChild) {
      setText(number.firstElementChild, count(lost));
    } else {
      number.replaceChildren(el('a', {href: '#/losses'}, count(lost)));
    }
  }

  setSince(key, what, certain, tone, none) {
    if (!what) {
      this.set(key, '–', none, 'quiet');
      return;
    }
    const millis = serverNow() - what.sinceMillis;
    this.set(key, (what.sinceExact || key === 'wait' ? '' : '≤ ') + span(millis) + (certain ? '' : '?'), null, certain ? tone : 'quiet');
    const {note} = this.parts[key];
    const href = `#/lock/${encodeURIComponent(what.lock)}`;
    if (note.firstElementChild?.getAttribute('href') !== href) {
      note.replaceChildren(el('a', {href}, visible(what.lock)));
    }
    setAttribute(note, 'title', `${visible(what.lock)}, ${who(what)}`);
  }

  set(key, number, note, tone) {
    const part = this.parts[key];
    if (number !== null) {
      setText(part.number, number);
    }
    setAttribute(part.tile, 'data-tone', tone);
    if (note !== null) {
      setText(part.note, note);
      setAttribute(part.note, 'title', note);
    }
  }
}
