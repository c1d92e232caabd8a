// Votes: as a strip of dots in a row of the table, and as a matrix of owners and nodes.

import {el, keep, setAttribute, setText} from './dom.js';
import {Pager} from './pager.js';
import {left, shortNames, visible, who, whose} from './words.js';

const WORDS = {for: 'for', other: 'for another', none: 'no vote', silent: 'no answer'};

/** Returns whether the nodes know the state of all locks, according to the overview. */
export function isCertain({hasMajority, states, unread}) {
  return hasMajority && states.unknown === 0 && unread === 0;
}

/** Returns whether the nodes know the state of the lock. Nodes in quarantine answer, but may have lost their state. */
export function isKnown({hasMajority, state}) {
  return hasMajority && state !== 'unknown';
}

export function makeStrip() {
  return el('span', {class: 'strip', role: 'img'});
}

/** Shows one dot for each node, which is green only where a majority is certain. */
export function updateStrip(strip, votes, nodes, certain) {
  while (strip.children.length < votes.length) {
    strip.append(el('i'));
  }
  while (strip.children.length > votes.length) {
    strip.lastElementChild.remove();
  }
  setAttribute(strip, 'data-certain', String(certain));
  votes.forEach((vote, node) => setAttribute(strip.children[node], 'data-vote', vote));
  const votesFor = votes.filter((vote) => vote === 'for').length;
  setAttribute(strip, 'aria-label', `${votesFor} of ${votes.length} nodes vote for it`);
  setAttribute(strip, 'title', votes.map((vote, node) => `${visible(nodes[node] ?? '')}: ${WORDS[vote]}`).join('\n'));
}

/** A matrix of every owner with a vote or a queue position, on every node. */
export class Matrix {
  constructor() {
    this.head = el('tr');
    this.body = el('tbody');
    this.element = el('div', {class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': 'Votes of every node'},
      el('table', {class: 'matrix'}, el('caption', {class: 'unseen'}, 'The vote and the queue position of each owner at each node'), el('thead', {}, this.head), this.body));
    this.empty = el('p', {class: 'none'});
    this.pager = new Pager('the votes', () => this.update(this.status));
    this.root = el('div', {}, this.element, this.pager.element, this.empty);
  }

  update(status) {
    this.status = status;
    const names = shortNames(status.nodes.map((node) => node.node));
    keep(this.head, ['Owner', ...names].map((text, index) => ({text, index})), (cell) => cell.index,
      () => el('th', {scope: 'col'}), (cell, {text, index}) => {
        setText(cell, text);
        setAttribute(cell, 'title', index > 0 ? visible(status.nodes[index - 1].node) : null);
        setAttribute(cell, 'data-silent', index > 0 && status.nodes[index - 1].problem !== null ? 'true' : null);
      });
    const owners = ownersOf(status);
    keep(this.body, this.pager.page(owners), (owner) => owner.owner, makeRow, (row, owner) => updateRow(row, owner, status));
    setText(this.empty, isKnown(status) ? 'No node has a vote or a queue.' : 'Not known: too few nodes answer and vote.');
    this.empty.hidden = owners.length > 0;
    this.element.hidden = owners.length === 0;
  }
}

function ownersOf(status) {
  const all = new Map();
  const add = (owner) => all.set(owner.owner.replace(/^([^/]+\/\d+)\/\d+$/, '$1'), owner);
  status.waiters.forEach(add);
  status.holders.forEach(add);
  for (const node of status.nodes) {
    for (const owner of [...(node.holders ?? []).map((vote) => vote.owner), ...(node.queue ?? [])]) {
      if (!all.has(owner)) {
        all.set(owner, {owner});
      }
    }
  }
  const holding = new Set(status.holders.map((holder) => holder.owner));
  return [...all].map(([key, owner]) => ({...owner, owner: key})).sort((one, other) => holding.has(other.owner) - holding.has(one.owner));
}

function makeRow() {
  return el('tr', {}, el('th', {scope: 'row'}, el('span'), el('small')));
}

function updateRow(row, owner, status) {
  const [name, detail] = row.firstElementChild.children;
  setText(name, who(owner));
  setText(detail, whose(owner));
  setAttribute(row.firstElementChild, 'title', visible(owner.owner));
  while (row.children.length < status.nodes.length + 1) {
    row.append(el('td'));
  }
  status.nodes.forEach((node, index) => {
    const [kind, text] = cellOf(node, owner.owner);
    const cell = row.children[index + 1];
    setAttribute(cell, 'data-kind', kind);
    setText(cell, text);
    setAttribute(cell, 'title', node.problem ? visible(node.problem) : null);
  });
}

function cellOf(node, owner) {
  if (node.problem !== null) {
    return ['silent', 'no answer'];
  }
  const vote = node.holders.find((holder) => holder.owner === owner);
  if (vote) {
    return ['vote', `${vote.mode} ${vote.remainingMillis === null ? '' : left(vote.remainingMillis)}`];
  }
  const place = node.queue.indexOf(owner);
  return place >= 0 ? ['queue', `queue ${place + 1}`] : ['none', '–'];
}
