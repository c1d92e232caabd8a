// The details of a lock: its kind, its value, its seal, and the durations of its recent holds.

import {el, setAttribute, setText, svg} from './dom.js';
import {FEWEST} from './estimate.js';
import {isKnown} from './votes.js';
import {brief, plural, span, visible} from './words.js';

const BINS = 16;
const HIGH = 74;
const KINDS = {
  lock: 'Lock', 'semaphore-slot': 'Semaphore slot, by its name', 'semaphore-gate': 'Queue of a semaphore, by its name',
  election: 'Election, by the record in its value', 'once-guard': 'Once-guard, by its seal',
};

export class Facts {
  constructor() {
    this.kind = el('dd');
    this.leader = el('dd');
    this.leaderTitle = el('dt', {}, 'Leader');
    this.seal = el('dd');
    this.value = el('div', {class: 'value mono', tabindex: '0', role: 'region', 'aria-label': 'Value'});
    this.holds = el('p', {class: 'note'});
    this.picture = svg('svg', {class: 'histogram', role: 'img', viewBox: `0 0 320 ${HIGH + 18}`});
    this.element = el('div', {},
      el('dl', {class: 'facts'}, el('dt', {}, 'Kind'), this.kind, this.leaderTitle, this.leader, el('dt', {}, 'Seal'), this.seal, el('dt', {}, 'Value'), el('dd', {}, this.value)),
      el('h3', {}, 'Recent holds'), this.holds, this.picture);
  }

  show(status) {
    const sure = isKnown(status);
    setText(this.kind, KINDS[status.kind] ?? status.kind);
    this.leaderTitle.hidden = this.leader.hidden = status.candidate === null;
    setText(this.leader, status.candidate === null ? '' : visible(status.candidate) + (status.state === 'held' ? '' : sure ? ' (former)' : '?'));
    setText(this.seal, status.seal ? sealText(status.seal) : sure ? 'none' : 'not known');
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
    const longest = Math.max(1, ...millis);
    const bins = new Array(BINS).fill(0);
    millis.forEach((hold) => bins[Math.min(BINS - 1, Math.floor((hold / longest) * BINS))]++);
    const most = Math.max(...bins);
    const wide = 320 / BINS;
    setAttribute(this.picture, 'aria-label', `Histogram of ${plural(millis.length, 'hold')}, from 0 to ${brief(longest)}`);
    this.picture.replaceChildren(
      svg('line', {class: 'base', x1: 0, x2: 320, y1: HIGH, y2: HIGH}),
      ...bins.map((number, bin) => svg('rect', {x: bin * wide + 1, width: wide - 2, y: HIGH - (number / most) * (HIGH - 4), height: (number / most) * (HIGH - 4), rx: 2},
        svg('title', {}, `${plural(number, 'hold')} of ${brief((bin / BINS) * longest)} to ${brief(((bin + 1) / BINS) * longest)}`))),
      svg('text', {x: 0, y: HIGH + 14}, '0'), svg('text', {x: 320, y: HIGH + 14, 'text-anchor': 'end'}, brief(longest)));
  }
}

export function sealText(seal) {
  const rest = seal.remainingMillis === null ? 'without an end' : `${span(seal.remainingMillis)} left`;
  return `by ${visible(seal.by)}, ${span(seal.agoMillis)} ago; ${rest}`;
}

function lines(text) {
  return text.split('\n').map(visible).join('\n');
}
