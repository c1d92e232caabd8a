// The table of all locks: filter, order and pages.

import {el, keep, setAttribute, setText} from './dom.js';
import {makeRow, MODES, tellHeld, updateRow} from './rows.js';
import {get} from './server.js';
import {count, plural, span} from './words.js';

const PAGE = 50;
const OLD_MILLIS = 3_000;
const STATES = {'': 'All states', held: 'Held', 'waited-for': 'Waited for', undecided: 'Undecided', sealed: 'Sealed', unknown: 'Not known'};
/** The columns: the title, the server's sort key, and whether the first press sorts the largest first. */
const COLUMNS = [
  ['Lock', 'name', false],
  ['Mode'],
  ['Holder'],
  ['Held for', 'held', true, 'num'],
  ['Lease left', 'remaining', false],
  ['Token', 'token', true, 'num'],
  ['Votes'],
  ['Queue', 'queue', true, 'num'],
];

export class Table {
  /** @param changed called when the user selects other rows */
  constructor(changed) {
    this.changed = changed;
    this.wanted = {contains: '', state: '', sort: 'name', offset: 0};
    this.filter = el('input', {type: 'search', id: 'filter', placeholder: 'Filter by name or holder', 'aria-label': 'Filter by name or holder; ^ before the beginning of a name', autocomplete: 'off', spellcheck: 'false', oninput: () => this.want({contains: this.filter.value})});
    this.states = el('select', {'aria-label': 'State', onchange: () => this.want({state: this.states.value})}, ...Object.entries(STATES).map(([value, text]) => el('option', {value}, text)));
    this.count = el('span', {class: 'count', role: 'status'});
    this.old = el('span', {class: 'count'});
    this.heads = COLUMNS.map((column) => this.head(...column));
    this.body = el('tbody', {role: 'rowgroup'});
    this.list = el('div', {class: 'scroll'}, el('table', {class: 'list', role: 'table'}, el('caption', {class: 'unseen'}, 'Locks in use'),
      el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'}, ...this.heads)), this.body));
    this.empty = el('div', {class: 'empty', hidden: true});
    this.back = el('button', {type: 'button', onclick: () => this.turn(-PAGE)}, 'Previous');
    this.on = el('button', {type: 'button', onclick: () => this.turn(PAGE)}, 'Next');
    this.place = el('span');
    this.pager = el('nav', {class: 'pager', 'aria-label': 'Pages', hidden: true}, this.back, this.place, this.on);
    this.element = el('section', {class: 'locks card', 'aria-labelledby': 'locks-title'},
      el('div', {class: 'tools'}, el('h1', {id: 'locks-title'}, 'Locks'), this.filter, this.states, el('span', {class: 'grow'}), this.old, this.count),
      this.list, this.empty, this.pager, legend());
    this.showOrder();
  }

  head(title, sort, descending, kind) {
    if (!sort) {
      return el('th', {scope: 'col', role: 'columnheader', class: kind}, title);
    }
    const head = el('th', {scope: 'col', role: 'columnheader', class: kind}, el('button', {type: 'button', onclick: () => this.orderBy(sort, descending)}, title));
    head.sort = sort;
    return head;
  }

  orderBy(sort, descending) {
    const first = descending ? `-${sort}` : sort;
    const second = descending ? sort : `-${sort}`;
    this.want({sort: this.wanted.sort === first ? second : first});
    this.showOrder();
  }

  showOrder() {
    for (const head of this.heads) {
      const up = this.wanted.sort === head.sort;
      const down = this.wanted.sort === `-${head.sort}`;
      setAttribute(head, 'aria-sort', up ? 'ascending' : down ? 'descending' : null);
    }
  }

  want(change) {
    Object.assign(this.wanted, {offset: 0}, change);
    this.changed();
  }

  turn(by) {
    this.want({offset: Math.max(0, this.wanted.offset + by)});
    this.element.scrollIntoView({block: 'nearest'});
  }

  /** Requests the selected rows, and shows them unless the selection has changed meanwhile. */
  async refresh() {
    const {contains, state, sort, offset} = this.wanted;
    const filter = contains.startsWith('^') ? {prefix: contains.slice(1)} : {contains};
    const page = await get('/v1/table', {...filter, state, sort, offset: String(offset), limit: String(PAGE)});
    const outdated = contains !== this.wanted.contains || state !== this.wanted.state || sort !== this.wanted.sort || offset !== this.wanted.offset;
    if (outdated) {
      return;
    }
    if (page.locks.length === 0 && offset > 0) {
      this.want({offset: Math.max(0, Math.floor((page.matching - 1) / PAGE) * PAGE)}); // the last pages no longer exist
      return;
    }
    this.show(page);
  }

  show(page) {
    keep(this.body, page.locks, (lock) => lock.lock, makeRow, (row, lock) => updateRow(row, lock, page.nodes));
    const filtered = this.wanted.contains !== '' || this.wanted.state !== '';
    setText(this.count, filtered ? `${count(page.matching)} of ${plural(page.total, 'lock')}` : plural(page.total, 'lock') + (page.complete ? '' : ' and more: filter with ^ and the beginning of a name'));
    setText(this.old, page.ageMillis > OLD_MILLIS ? `counted and sorted ${span(page.ageMillis)} ago` : '');
    this.list.hidden = page.locks.length === 0;
    this.showEmpty(page.locks.length === 0, filtered);
    this.pager.hidden = page.matching <= PAGE;
    setText(this.place, `${count(page.offset + 1)} to ${count(page.offset + page.locks.length)} of ${count(page.matching)}`);
    this.back.disabled = page.offset === 0;
    this.on.disabled = page.offset + page.locks.length >= page.matching;
  }

  showEmpty(isEmpty, filtered) {
    if (this.empty.hidden === !isEmpty && this.empty.filtered === filtered) {
      return;
    }
    this.empty.hidden = !isEmpty;
    this.empty.filtered = filtered;
    this.empty.replaceChildren(...(filtered
      ? [el('strong', {}, 'No lock is like that'), el('span', {}, 'Another filter may find some.')]
      : [el('strong', {}, 'No lock is in use'), el('span', {}, 'Take one, and it appears here:'),
        el('code', {}, `curl -H 'Content-Type: application/json' -d '{"lock":"orders:42","ttl":"30s","label":"me"}' ${location.origin}/v1/leases`)]));
  }

  tick() {
    for (const row of this.body.children) {
      tellHeld(row);
    }
  }
}

function legend() {
  const strip = (vote) => el('dt', {}, el('span', {class: 'strip', 'data-certain': 'true'}, el('i', {'data-vote': vote})));
  return el('details', {class: 'legend'}, el('summary', {}, 'What do I see?'),
    el('dl', {},
      strip('for'), el('dd', {}, 'This node votes for the holder. A lock is held, and green, only with the votes of a majority of nodes.'),
      strip('other'), el('dd', {}, 'This node votes for somebody else.'),
      strip('none'), el('dd', {}, 'This node votes for nobody.'),
      strip('silent'), el('dd', {}, 'This node does not answer.'),
      el('dt', {}, 'Lease left'), el('dd', {}, 'The lock is its holder’s until the bar has run out, unless it is extended: then the bar jumps.'),
      el('dt', {}, 'Token'), el('dd', {}, 'The fencing token, larger with every holder. What the lock protects should refuse smaller ones.'),
      ...Object.entries(MODES).flatMap(([mode, text]) => [el('dt', {}, el('span', {class: 'mode'}, mode)), el('dd', {}, text)])));
}
