// Locks in groups by the next part of their names.

import {read, write} from './address.js';
import {el, setAttribute, setText} from './dom.js';
import {PlainTable} from './plain-table.js';
import {get} from './server.js';
import {count, plural, visible} from './words.js';

export class Groups {
  constructor(changed) {
    this.title = 'Groups';
    this.prefix = read().query.get('prefix') ?? '';
    this.count = el('span', {class: 'count', role: 'status'});
    this.up = el('a', {class: 'crumb', href: '#/groups'}, 'All groups');
    this.table = new PlainTable('Table of groups', 'Groups of locks, those that need attention first', ['Prefix', '#Locks', '#Held', '#Waiting', '#Need attention'], changed);
    this.empty = el('p', {class: 'empty', hidden: true});
    this.element = el('section', {class: 'card locks', 'aria-labelledby': 'groups-title'},
      el('div', {class: 'tools'}, el('h1', {id: 'groups-title', tabindex: '-1'}, this.prefix ? `Groups in ${visible(this.prefix)}` : 'Groups'), this.up, el('span', {class: 'grow'}), this.count), ...this.table.elements, this.empty);
    this.up.hidden = this.prefix === '';
    write({prefix: this.prefix});
  }

  async refresh({hasMajority}) {
    const {groups, more, complete} = await get('/v1/groups', {prefix: this.prefix});
    setText(this.count, plural(groups.length + more, 'group') + (complete ? '' : ' of the first 10,000 locks'));
    this.table.show(groups, (group) => group.prefix, (group) => this.makeRow(group), updateRow);
    setText(this.empty, hasMajority ? 'No lock is in use.' : 'No lock is known: too few nodes answer and vote.');
    this.empty.hidden = groups.length > 0;
  }

  makeRow({prefix, locks}) {
    const query = new URLSearchParams({contains: `^${prefix}`});
    const deeper = locks > 1 && /[:/.#]$/.test(prefix) ? el('a', {class: 'deeper', href: `#/groups?${new URLSearchParams({prefix})}`}, 'split', el('span', {class: 'unseen'}, ` ${visible(prefix)}`)) : null;
    return el('tr', {}, el('td', {class: 'group-name'}, el('a', {class: 'mono', href: `#/?${query}`}, el('bdi', {}, visible(prefix))), deeper), el('td', {class: 'num'}), el('td', {class: 'num'}), el('td', {class: 'num'}), el('td', {class: 'num'}));
  }

  tick() {}
}

function updateRow(row, group) {
  const [, locks, held, waiting, attention] = row.children;
  setText(locks, count(group.locks));
  setText(held, group.unknown === 0 ? count(group.held) : group.held === 0 ? '?' : `≥ ${count(group.held)}`);
  setText(waiting, group.unknown === 0 ? count(group.waiting) : '?');
  setText(attention, group.unknown > 0 && group.attention === 0 ? '?' : count(group.attention));
  setAttribute(attention, 'data-some', String(group.attention > 0));
}
