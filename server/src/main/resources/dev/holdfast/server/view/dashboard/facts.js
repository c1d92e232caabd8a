// The details of a lock: its kind, its value, its seal, and the durations of its recent holds.

import {el, setAttribute, setText, svg} from './dom.js';
import {FEWEST} from './estimate.js';
import {binsOf, limitText} from './histogram.js';
import {isKnown} from './votes.js';
import {brief, plural, span, visible} from './words.js';

const HIGH = 74;
const WIDE = 320;
const MOST_LABELS = 5;
const KINDS = {
  lock: 'Lock', 'semaphore-slot': 'Semaphore slot, by its name', 'semaphore-gate': 'Queue of a semaphore, by its name',
  election: 'Election, by the record in its value', 'once-guard': 'Once-guard, by its seal', tree: 'Upper level of a tree of locks, by its modes CR and CW',
};

export class Facts {
  constructor() {
    this.kind = el('dd');
    this.leader = el('dd');
    this.leaderTitle = el('dt', {}, 'Leader');
    this.seal = el('dd');
    this.valueTitle = el('dt', {}, 'Value');
    this.value = el('div', {class: 'value mono', tabindex: '0', role: 'region', 'aria-label': 'Value'});
    this.holds = el('p', {class: 'note'});
    this.picture = svg('svg', {class: 'histogram', role: 'img', viewBox: `0 0 ${WIDE} ${HIGH + 18}`});
    this.element = el('div', {},
      el('dl', {class: 'facts'}, el('dt', {}, 'Kind'), this.kind, this.leaderTitle, this.leader, el('dt', {}, 'Seal'), this.seal, this.valueTitle, el('dd', {}, this.value)),
      el('h3', {}, 'Recent holds'), this.holds, this.picture);
  }

  show(status) {
    const sure = isKnown(status);
    setText(this.kind, KINDS[status.kind] ?? status.kind);
    this.leaderTitle.hidden = this.leader.hidden = status.candidate === null;
    setText(this.leader, status.candidate === null ? '' : visible(status.candidate) + (status.state === 'held' ? '' : sure ? ' (former)' : '?'));
    setText(this.seal, status.seal ? sealText(status.seal) : sure ? 'none' : 'not known');
    setText(this.valueTitle, sure || status.value === null ? 'Value' : 'Value?');
    setAttribute(this.value, 'data-certain', String(sure));
    setText(this.value, status.value === null ? (sure ? 'none' : 'not known') : status.value === '' ? 'empty' : lines(status.value));
    this.showHolds(status.holds);
  }

  showHolds({millis, medianMillis, p90Millis}) {
    setText(this.holds, millis.length === 0 ? 'No hold of this server’s clients has ended yet.'
      : medianMillis === null ? `${plural(millis.length, 'hold')}: too few for a median, which needs ${FEWEST}.`
      : `${plural(millis.length, 'hold')} of this server’s clients: median ${brief(medianMillis)}, 90 % within ${brief(p90Millis)}.`);
    this.picture.toggleAttribute('hidden', millis.length === 0);
    if (millis.length > 0 && this.drawn !== String(millis)) {
      this.drawn = String(millis);
      this.draw(millis);
    }
  }

  draw(millis) {
    const bins = binsOf(millis);
    const most = Math.max(...bins.map(({count}) => count));
    const wide = WIDE / bins.length;
    const step = Math.ceil((bins.length + 1) / MOST_LABELS);
    const high = (count) => (count / most) * (HIGH - 4);
    const text = ({from, to}) => (to === Infinity ? `${limitText(from)} or more` : `${limitText(from)} to ${limitText(to)}`);
    setAttribute(this.picture, 'aria-label', `Histogram of ${plural(millis.length, 'hold')}, in growing steps: ${bins.filter(({count}) => count > 0).map((bin) => `${bin.count} of ${text(bin)}`).join(', ')}`);
    this.picture.replaceChildren(
      svg('line', {class: 'base', x1: 0, x2: WIDE, y1: HIGH, y2: HIGH}),
      ...bins.map((bin, index) => svg('rect', {x: index * wide + 1, width: wide - 2, y: HIGH - high(bin.count), height: high(bin.count), rx: 2}, svg('title', {}, `${plural(bin.count, 'hold')} of ${text(bin)}`))),
      ...[bins[0].from, ...bins.map(({to}) => to)].map((limit, index) => (index % step === 0 && limit < Infinity
        ? svg('text', {x: index * wide, y: HIGH + 14, 'text-anchor': index === 0 ? 'start' : index === bins.length ? 'end' : 'middle'}, limitText(limit)) : null)).filter(Boolean));
  }
}

export function sealText(seal) {
  const rest = seal.remainingMillis === null ? 'without an end' : `${span(seal.remainingMillis)} left`;
  return `by ${visible(seal.by)}, ${span(seal.agoMillis)} ago; ${rest}`;
}

function lines(text) {
  return text.split('\n').map(visible).join('\n');
}
