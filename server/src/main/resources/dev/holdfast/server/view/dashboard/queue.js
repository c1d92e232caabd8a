// The queue of a lock: who is ahead of each waiter, and how long the wait is likely to be.

import {el, keep, setAttribute, setText} from './dom.js';
import {estimate, groupsAhead} from './estimate.js';
import {Pager} from './pager.js';
import {serverNow} from './server.js';
import {isKnown} from './votes.js';
import {brief, capital, count, span, visible, who, whose} from './words.js';

export class Queue {
  constructor() {
    this.title = el('h2', {}, 'Queue');
    this.list = el('ol', {class: 'line'});
    this.box = el('div', {class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': 'Queue'}, this.list);
    this.note = el('p', {class: 'none'});
    this.pager = new Pager('the queue', () => this.show(this.status));
    this.element = el('section', {class: 'card panel'}, this.title, this.box, this.pager.element, this.note);
  }

  show(status) {
    this.status = status;
    const {waiters, holders, holds} = status;
    const holder = holders.find((one) => one.hasMajority) ?? null;
    const election = status.kind === 'election';
    const groups = groupsAhead(waiters);
    const numbered = waiters.map((waiter, index) => ({waiter, index, before: waiters[index - 1] ?? null, group: groups[index], holder}));
    setText(this.title, waiters.length ? `${election ? 'Standing by' : 'Queue'}: ${count(waiters.length)}${isKnown(status) ? '' : '?'}` : 'Queue');
    setText(this.note, noteOf(status, election));
    this.box.hidden = waiters.length === 0;
    keep(this.list, this.pager.page(numbered), ({waiter}) => waiter.owner, makeItem, (item, entry) => {
      item.entry = {...entry, holds: holds.millis, certain: isKnown(status), election};
      setAttribute(item, 'value', entry.index + 1);
      updateItem(item);
    });
  }

  tick() {
    [...this.list.children].forEach(updateItem);
  }
}

function usual({medianMillis, p90Millis, millis}) {
  return medianMillis === null ? '' : ` Clients usually hold this lock for ${brief(medianMillis)} (median); 90 % of ${count(millis.length)} known holds are within ${brief(p90Millis)}.`;
}

function noteOf(status, election) {
  const {waiters, holds, holders, state} = status;
  if (waiters.length === 0) {
    return isKnown(status) ? 'The queue is empty.' : 'Not known: too few nodes answer and vote.';
  }
  if (election) {
    return 'Candidates of an election stand by until the leader ends.';
  }
  const holder = holders.find((one) => one.hasMajority) ?? null;
  if (holder === null && state === 'unknown') {
    return 'No estimate without a majority of nodes.';
  }
  const {reason} = estimate(holds.millis, 0, presentOf(holder, serverNow()));
  if (reason) {
    return `${capital(reason)}.${usual(holds)}`;
  }
  const shared = holders.length > 1 ? ' Several holders share the lock, so an estimate counts the first of them only.' : '';
  return `${usual(holds).trim()} Four of five waits end in the estimated range, if holds stay as they were and no waiter leaves.${shared}`;
}

function makeItem() {
  return el('li', {}, el('span', {class: 'holder-name'}, el('strong'), el('small')), el('span', {class: 'mode'}), el('span', {class: 'for'}), el('span', {class: 'ahead'}));
}

function updateItem(item) {
  const {waiter, before, index, group, holder, holds, certain, election} = item.entry;
  const now = serverNow();
  const [name, mode, waits, ahead] = item.children;
  setText(name.children[0], who(waiter));
  setText(name.children[1], whose(waiter));
  setAttribute(name, 'title', visible(waiter.owner));
  setText(mode, waiter.mode);
  setText(waits, waiter.sinceMillis ? `waits for ${span(now - waiter.sinceMillis)}` : '');
  const behind = before ? `behind ${who(before)}${index > 1 ? ` and ${count(index - 1)} more` : ''}` : holder ? `behind the holder ${who(holder)}` : 'first in the queue';
  const range = election || !certain ? '' : likely(holds, group, holder, now);
  setText(ahead, election ? '' : range ? `${behind} · ${range}` : behind);
}

function presentOf(holder, now) {
  return holder === null ? null : {heldMillis: now - (holder.sinceMillis ?? now), exact: holder.sinceExact};
}

function likely(holds, group, holder, now) {
  const present = presentOf(holder, now);
  const {low, high, reason} = estimate(holds, group, present);
  return reason ? '' : `likely ${low < 1000 ? `up to ${brief(high)}` : `${brief(low)} to ${brief(high)}`} more`;
}
