// One row of the table of locks.

import {el, setAttribute, setText} from './dom.js';
import {LeaseBar} from './lease-bar.js';
import {serverNow} from './server.js';
import {makeStrip, updateStrip} from './votes.js';
import {plural, span, visible, who, whose} from './words.js';

export function makeRow(lock) {
  const bar = new LeaseBar();
  const row = el('tr', {role: 'row'},
    el('td', {role: 'cell', class: 'name'}, el('a', {href: `#/lock/${encodeURIComponent(lock.lock)}`, title: visible(lock.lock)}, el('bdi', {}, visible(lock.lock)))),
    el('td', {role: 'cell', class: 'mode-cell'}, el('span', {class: 'mode'})),
    el('td', {role: 'cell', class: 'holder'}, el('span'), el('span', {class: 'by'})),
    el('td', {role: 'cell', class: 'held num'}),
    el('td', {role: 'cell', class: 'lease-cell'}, bar.element),
    el('td', {role: 'cell', class: 'token num'}),
    el('td', {role: 'cell', class: 'votes'}, makeStrip()),
    el('td', {role: 'cell', class: 'queue num'}));
  row.bar = bar;
  return row;
}

export function updateRow(row, lock, nodes) {
  const [, modeCell, holder, held, , token, votes, queue] = row.children;
  const certain = lock.state === 'held';
  setAttribute(row, 'data-state', lock.state);
  setText(modeCell.firstElementChild, lock.mode ?? '–');
  setAttribute(modeCell.firstElementChild, 'title', lock.mode && MODES[lock.mode]);
  setText(holder.children[0], holderText(lock));
  setText(holder.children[1], certain && whose(lock) ? ` ${whose(lock)}` : '');
  setAttribute(holder, 'title', lock.owner && visible(lock.owner));
  row.since = certain ? lock : null;
  tellHeld(row);
  row.bar.set(lock.owner === null ? null : lock.remainingMillis, lock.ttlMillis, lock.token ?? lock.owner, certain);
  setText(token, lock.token === null ? '' : String(lock.token));
  updateStrip(votes.firstElementChild, lock.votes, nodes, certain);
  setText(queue, String(lock.waiting));
  setAttribute(queue, 'data-some', String(lock.waiting > 0));
}

/** Shows for how long the lock has been held; called again while nothing else has changed. */
export function tellHeld(row) {
  const held = row.children[3];
  const since = row.since?.sinceMillis;
  setText(held, since ? `${row.since.sinceExact ? '' : '≤ '}${span(serverNow() - since)}` : '');
  setAttribute(held, 'title', since && !row.since.sinceExact ? 'Asked for so long ago; when it was granted, only its own client knows.' : null);
}

function holderText(lock) {
  switch (lock.state) {
    case 'held': return who(lock) + (lock.holders > 1 ? ` and ${plural(lock.holders - 1, 'other')}` : '');
    case 'waited-for': return 'nobody yet';
    case 'sealed': return 'sealed: its work is done';
    case 'free': return 'nobody';
    case 'unknown': return 'not known: no majority';
    default: return `undecided: ${lock.votes.filter((vote) => vote === 'for').length} of ${lock.votes.length} votes`;
  }
}

export const MODES = {
  EX: 'Exclusive: nobody else, but for NL',
  PW: 'Protected write: one writer beside unprotected readers (CR)',
  PR: 'Protected read: shared by readers, no writer',
  CW: 'Concurrent write: beside other concurrent readers and writers',
  CR: 'Concurrent read: beside all but EX',
  NL: 'Null: beside all, bears no token',
};
