// A table in pages of at most 50 rows. On a narrow screen each row becomes a card whose values have the names of their columns.

import {el, keep} from './dom.js';
import {Pager} from './pager.js';

export class PlainTable {
  /**
   * @param heads the names of the columns; a leading # marks a column of numbers
   * @param turned called after a button has turned the page
   */
  constructor(label, caption, heads, turned) {
    this.heads = heads.map((head) => head.replace('#', ''));
    this.body = el('tbody');
    this.pager = new Pager(`the ${label.charAt(0).toLowerCase()}${label.slice(1)}`, turned);
    this.scroll = el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, el('table', {class: 'plain'}, el('caption', {class: 'unseen'}, caption),
      el('thead', {}, el('tr', {}, ...this.heads.map((head, i) => el('th', {scope: 'col', class: heads[i].startsWith('#') ? 'num' : null}, head)))), this.body));
    this.elements = [this.scroll, this.pager.element];
  }

  /** Shows the current page of a complete list; a key, a new row and an update are as for `keep`. */
  show(items, keyOf, make, update = () => {}) {
    keep(this.body, this.pager.page(items), keyOf, (item) => this.named(make(item)), update);
    this.scroll.hidden = items.length === 0;
  }

  named(row) {
    [...row.children].forEach((cell, i) => cell.setAttribute('data-head', this.heads[i]));
    return row;
  }
}
