// Pages of at most 50 rows, with buttons.

import {el, setText} from './dom.js';
import {count} from './words.js';

export const PAGE = 50;

export class Pager {
  /** @param label the name of what it turns @param turned called with the new offset */
  constructor(label, turned) {
    this.offset = 0;
    this.back = el('button', {type: 'button', onclick: () => this.turn(turned, -PAGE)}, 'Previous');
    this.on = el('button', {type: 'button', onclick: () => this.turn(turned, PAGE)}, 'Next');
    this.place = el('span');
    this.element = el('nav', {class: 'pager', 'aria-label': `Pages of ${label}`, hidden: true}, this.back, this.place, this.on);
  }

  turn(turned, by) {
    this.offset = Math.max(0, this.offset + by);
    turned(this.offset);
  }

  /** Shows the position of a page that the server selected. */
  show(offset, rows, matching) {
    this.offset = offset;
    this.element.hidden = matching <= PAGE;
    setText(this.place, `${count(offset + 1)} to ${count(offset + rows)} of ${count(matching)}`);
    this.back.disabled = offset === 0;
    this.on.disabled = offset + rows >= matching;
  }

  /** Returns the rows of the current page of a complete list. */
  page(all) {
    const last = Math.max(0, Math.ceil(all.length / PAGE) - 1) * PAGE;
    const offset = Math.min(this.offset, last);
    const rows = all.slice(offset, offset + PAGE);
    this.show(offset, rows.length, all.length);
    return rows;
  }
}
