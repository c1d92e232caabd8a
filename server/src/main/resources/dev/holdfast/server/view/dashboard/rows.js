// One row of the table of locks.

import {lockAddress} from './address.js';
import {el, setAttribute, setText} from './dom.js';
import {describe} from './events.js';
import {LeaseBar} from './lease-bar.js';
import {serverNow} from './server.js';
import {makeStrip, updateStrip} from './votes.js';
import {plural, span, visible, who, whose} from './words.js';

export function makeRow(lock) {
  const bar = new LeaseBar();
  const row = el('tr', {role: 'row'},
    el('td', {role: 'cell', class: 'name'}, el('a', {href: lockAddress(lock.lock), title: visible(lock.lock)}, el('bdi', {}, visible(lock.lock))), el('span', {class: 'reason', hidden: true})),
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
  const [name, modeCell, holder, held, , token, votes, queue] = row.children;
  const certain = lock.state === 'held';
  setAttribute(row, 'data-state', lock.state);
  setText(modeCell.firstElementChild, lock.mode ?? '–');
  setAttribute(modeCell.firstElementChild, 'title', lock.mode && MODES[lock.mode]);
  setText(holder.children[0], holderText(lock));
  setText(holder.children[1], certain && whose(lock) ? ` ${whose(lock)}` : '');
  setAttribute(holder, 'title', lock.owner ? visible(lock.owner) : holderText(lock));
  row.since = certain ? lock : null;
  tellHeld(row);
  row.bar.set(lock.owner === null ? null : lock.remainingMillis, lock.ttlMillis, lock.token ?? lock.owner, certain);
  setText(token, lock.token === null ? '' : certain ? String(lock.token) : `${lock.token}?`);
  updateStrip(votes.firstElementChild, lock.votes, nodes, certain);
  setText(queue, lock.state === 'unknown' ? '?' : String(lock.waiting));
  setAttribute(queue, 'data-some', String(lock.waiting > 0 && lock.kind !== 'election'));
  showAttention(name, lock);
}

/** Shows for how long the lock has been held; called again while nothing else has changed. */
export function tellHeld(row) {
  const held = row.children[3];
  const since = row.since?.sinceMillis;
  setText(held, since ? `${row.since.sinceExact ? '' : '≤ '}${span(serverNow() - since)}` : '');
  setAttribute(held, 'title', since && !row.since.sinceExact ? 'The time since the owner sent its request. Only the owner’s server knows when the lease was granted.' : null);
}

/** The reasons for attention, without the losses. An uncertain state has none here, since its row looks uncertain already. */
const REASONS = {
  circle: ['in a circle', 'The holder and a waiter wait for each other, directly or over other locks: a possible deadlock. The wait-for graph shows it.'],
  expiring: ['about to expire', 'Less than a quarter of the ttl is left: the client has missed an extension.'],
  'long-wait': ['long wait', 'A client has waited for more than twice the usual hold of this lock.'],
};

function showAttention(name, lock) {
  const reason = name.lastElementChild;
  const [text, title] = lock.loss ? lossText(lock) : REASONS[lock.attention] ?? ['', null];
  reason.hidden = text === '';
  setText(reason, text);
  setAttribute(reason, 'title', title);
  setAttribute(reason, 'data-reason', text ? lock.attention : null);
  setAttribute(reason, 'data-former', lock.loss && isFormer(lock) ? 'true' : null);
}

/** Returns whether the lost lease is an earlier one than that of the present holder. */
function isFormer({loss, token}) {
  return token !== null && token !== loss.token;
}

function lossText(lock) {
  const {loss, attention} = lock;
  const what = attention === 'broken' ? `broken by ${visible(loss.operator)}` : attention;
  return [isFormer(lock) ? `a former lease: ${what}` : what, `${span(serverNow() - loss.atMillis)} ago: ${describe(loss)}`];
}

function holderText(lock) {
  switch (lock.state) {
    case 'held': return who(lock) + (lock.holders > 1 ? ` and ${plural(lock.holders - 1, 'other')}` : '');
    case 'waited-for': return 'no holder yet';
    case 'sealed': return 'sealed: the work is done';
    case 'free': return lock.attention === 'broken' ? `no holder; reason: ${visible(lock.loss.reason)}` : 'no holder';
    case 'unknown': return lock.owner === null ? '?' : `${who(lock)}?`;
    default: return `undecided: ${lock.votes.filter((vote) => vote === 'for').length} of ${lock.votes.length} votes`;
  }
}

export const MODES = {
  EX: 'Exclusive: compatible with NL only',
  PW: 'Protected write: one writer, compatible with CR and NL',
  PR: 'Protected read: shared by readers, compatible with CR and NL',
  CW: 'Concurrent write: compatible with CW, CR and NL',
  CR: 'Concurrent read: compatible with all modes but EX',
  NL: 'Null: compatible with all modes, has no token',
};
