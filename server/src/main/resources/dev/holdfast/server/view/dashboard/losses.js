// The leases that ended in the last five minutes before their clients released them.

import {lockAddress} from './address.js';
import {el, setText} from './dom.js';
import {describe} from './events.js';
import {PlainTable} from './plain-table.js';
import {get} from './server.js';
import {clock, plural, visible} from './words.js';

export class Losses {
  constructor(changed) {
    this.title = 'Lost leases';
    this.count = el('span', {class: 'count', role: 'status'});
    this.table = new PlainTable('Table of lost leases', 'Lost leases, the latest first', ['Time', 'Lock', 'Reason', 'Event'], changed);
    this.empty = el('p', {class: 'empty', hidden: true}, 'No lease was lost in the last five minutes.');
    this.element = el('section', {class: 'card locks', 'aria-labelledby': 'losses-title'},
      el('div', {class: 'tools'}, el('h1', {id: 'losses-title', tabindex: '-1'}, 'Lost leases'), el('span', {class: 'grow'}), this.count), ...this.table.elements, this.empty);
  }

  async refresh() {
    const {losses} = await get('/v1/losses');
    setText(this.count, `${plural(losses.length, 'lease')} in the last five minutes`);
    this.table.show(losses, (event) => `${event.atMillis} ${event.lock} ${event.owner}`,
      (event) => el('tr', {}, el('td', {class: 'num'}, clock(event.atMillis)), el('td', {}, el('a', {class: 'mono', href: lockAddress(event.lock)}, el('bdi', {}, visible(event.lock)))), el('td', {class: 'kind', 'data-kind': event.type}, event.type), el('td', {class: 'what'}, describe(event))));
    this.empty.hidden = losses.length > 0;
  }

  tick() {}
}
