// The views of semaphores and elections, which are made of locks.

import {lockAddress} from './address.js';
import {el, keep, setAttribute, setText} from './dom.js';
import {LeaseBar} from './lease-bar.js';
import {PlainTable} from './plain-table.js';
import {get, serverNow} from './server.js';
import {count, plural, span, visible, who} from './words.js';

const MOST = 200;

/** Requests all locks of a kind, in requests of at most 200 rows. */
async function all(kind) {
  const locks = [];
  for (;;) {
    const page = await get('/v1/table', {kind, sort: 'name', offset: String(locks.length), limit: String(MOST)});
    locks.push(...page.locks);
    if (page.locks.length < MOST || locks.length >= page.matching || locks.length >= 2_000) {
      return {locks, more: Math.max(0, page.matching - locks.length)};
    }
  }
}

class KindView {
  constructor(title, heads, note, none, changed) {
    this.title = title;
    this.count = el('span', {class: 'count', role: 'status'});
    this.table = new PlainTable(`Table of ${title.toLowerCase()}`, title, heads, changed);
    this.none = none;
    this.empty = el('p', {class: 'empty', hidden: true});
    this.element = el('section', {class: 'card locks', 'aria-labelledby': 'kind-title'},
      el('div', {class: 'tools'}, el('h1', {id: 'kind-title', tabindex: '-1'}, title), el('span', {class: 'grow'}), this.count), ...this.table.elements, this.empty, el('p', {class: 'note pad'}, note));
  }

  show({hasMajority}, rows, key, make, update) {
    this.table.show(rows, key, make, update);
    setText(this.empty, hasMajority ? this.none : 'No lock is known: too few nodes answer and vote.');
    this.empty.hidden = rows.length > 0;
  }

  tick() {}
}

export class Semaphores extends KindView {
  constructor(changed) {
    super('Semaphores', ['Semaphore', '#Slots held', '#Waiting', 'Holders'],
      'The page recognises semaphores by the names of their locks: NAME#0, NAME#1 and so on for slots, NAME#gate for the queue. Only the clients know the number of permits.',
      'No slot of a semaphore is in use.', changed);
  }

  async refresh(overview) {
    const [slots, gates] = [await all('semaphore-slot'), await all('semaphore-gate')];
    const found = new Map();
    const of = (lock) => {
      const name = lock.lock.replace(/#[^#]*$/, '');
      return found.get(name) ?? found.set(name, {name, slots: [], waiting: 0, certain: true}).get(name);
    };
    for (const lock of slots.locks) {
      const semaphore = of(lock);
      semaphore.slots.push(lock);
      semaphore.certain &&= lock.state !== 'unknown' && lock.state !== 'undecided';
    }
    for (const gate of gates.locks) {
      const semaphore = of(gate);
      semaphore.waiting += gate.waiting + Math.min(1, gate.holders); // the first waiter holds the gate, and queues at a slot
      semaphore.certain &&= gate.state !== 'unknown';
    }
    const more = slots.more + gates.more;
    setText(this.count, plural(found.size, 'semaphore') + (more ? `, and ${plural(more, 'lock')} more` : ''));
    this.show(overview, [...found.values()], (one) => one.name, () => el('tr', {}, el('td', {class: 'mono'}), el('td', {class: 'num'}), el('td', {class: 'num'}), el('td', {class: 'slots'})), (row, semaphore) => {
      const held = semaphore.slots.filter((slot) => slot.state === 'held');
      setText(row.children[0], visible(semaphore.name));
      setText(row.children[1], semaphore.certain ? count(held.length) : '?');
      setText(row.children[2], semaphore.certain ? count(semaphore.waiting) : '?');
      keep(row.children[3], semaphore.slots.filter((slot) => slot.owner !== null).slice(0, 50), (slot) => slot.lock, (slot) => el('a', {class: 'slot', href: lockAddress(slot.lock)}), (link, slot) => {
        setText(link, `${slot.lock.replace(/^.*#/s, '#')} ${who(slot)}${slot.state === 'held' ? '' : '?'}`);
        setAttribute(link, 'data-certain', String(slot.state === 'held'));
      });
    });
  }
}

export class Elections extends KindView {
  constructor(changed) {
    super('Elections', ['Election', 'Leader', '#Term', '#Leads for', 'Lease left', '#Standing by'],
      'The page recognises elections by the record that the leader writes into the lock’s value. Candidates that stand by wait in the queue; that is how an election works, and not a reason for alarm.',
      'No election has a leader that announced itself.', changed);
  }

  async refresh(overview) {
    const {locks, more} = await all('election');
    setText(this.count, plural(locks.length + more, 'election') + (more ? `, ${locks.length} shown` : ''));
    this.show(overview, locks, (lock) => lock.lock, makeElection, updateElection);
  }

  tick() {
    [...this.table.body.children].forEach(tellLeads);
  }
}

function makeElection(lock) {
  const bar = new LeaseBar();
  const row = el('tr', {}, el('td', {}, el('a', {class: 'mono', href: lockAddress(lock.lock)}, el('bdi', {}, visible(lock.lock)))), el('td'), el('td', {class: 'num'}), el('td', {class: 'num'}), el('td', {}, bar.element), el('td', {class: 'num'}));
  row.bar = bar;
  return row;
}

function updateElection(row, lock) {
  const certain = lock.state === 'held';
  row.lock = lock;
  setText(row.children[1], certain ? visible(lock.candidate) : lock.state === 'waited-for' ? 'none; a candidate is about to lead' : `${visible(lock.candidate)}?`);
  setAttribute(row.children[1], 'title', lock.owner && visible(lock.owner));
  setText(row.children[2], certain && lock.token !== null ? String(lock.token) : '?');
  row.bar.set(lock.owner === null ? null : lock.remainingMillis, lock.ttlMillis, lock.token ?? lock.owner, certain);
  setText(row.children[5], lock.state === 'unknown' ? '?' : count(lock.waiting));
  tellLeads(row);
}

function tellLeads(row) {
  const {state, sinceMillis, sinceExact} = row.lock;
  setText(row.children[3], state === 'held' && sinceMillis ? `${sinceExact ? '' : '≤ '}${span(serverNow() - sinceMillis)}` : '?');
}
