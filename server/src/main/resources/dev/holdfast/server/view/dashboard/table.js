// The table of all locks: filter, order and pages.

import {read, write} from './address.js';
import {el, keep, setAttribute, setText} from './dom.js';
import {PAGE, Pager} from './pager.js';
import {makeRow, MODES, tellHeld, updateRow} from './rows.js';
import {get} from './server.js';
import {count, plural, span} from './words.js';

const USUAL = {contains: '', state: '', kind: '', sort: 'attention', offset: 0};
const KINDS = {'': 'All kinds', lock: 'Locks', 'semaphore-slot': 'Semaphore slots', 'semaphore-gate': 'Semaphore gates', election: 'Elections', 'once-guard': 'Once-guards', tree: 'Trees'};
const OLD_MILLIS = 3_000;
const STATES = {'': 'All states', held: 'Held', 'waited-for': 'Waited for', undecided: 'Undecided', sealed: 'Sealed', unknown: 'Uncertain'};
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

/** Returns how many locks the table has, and how many of them match the filter. */
function countOf({matching, total, complete, unread}, filtered) {
  if (unread) {
    return `${count(filtered ? matching : total)} of ${plural(total + unread, 'lock')} so far, ${count(unread)} still to be read`;
  }
  if (filtered) {
    return `${count(matching)} of ${plural(total, 'lock')}`;
  }
  return plural(total, 'lock') + (complete ? '' : ' and more: filter with ^ and the beginning of a name');
}

export class Table {
  /** @param changed called when the user selects other rows */
  constructor(changed) {
    this.changed = changed;
    this.wanted = {...USUAL};
    this.filter = el('input', {type: 'search', id: 'filter', placeholder: 'Filter by name or holder', 'aria-label': 'Filter by name or holder; ^ before the beginning of a name', autocomplete: 'off', spellcheck: 'false', oninput: () => this.want({contains: this.filter.value})});
    this.states = el('select', {'aria-label': 'State', onchange: () => this.want({state: this.states.value})}, ...Object.entries(STATES).map(([value, text]) => el('option', {value}, text)));
    this.kinds = el('select', {'aria-label': 'Kind', onchange: () => this.want({kind: this.kinds.value})}, ...Object.entries(KINDS).map(([value, text]) => el('option', {value}, text)));
    this.urgent = el('button', {type: 'button', class: 'urgent', onclick: () => this.want({sort: 'attention'})}, 'By urgency');
    this.count = el('span', {class: 'count', role: 'status'});
    this.old = el('span', {class: 'count'});
    this.heads = COLUMNS.map((column) => this.head(...column));
    this.body = el('tbody', {role: 'rowgroup'});
    this.list = el('div', {class: 'scroll'}, el('table', {class: 'list', role: 'table'}, el('caption', {class: 'unseen'}, 'Locks in use'),
      el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'}, ...this.heads)), this.body));
    this.empty = el('div', {class: 'empty', hidden: true});
    this.pager = new Pager('the locks', (offset) => this.turn(offset));
    this.element = el('section', {class: 'locks card', 'aria-labelledby': 'locks-title'},
      el('div', {class: 'tools'}, el('h1', {id: 'locks-title'}, 'Locks'), this.filter, this.states, this.kinds, this.urgent, el('span', {class: 'grow'}), this.old, this.count),
      this.list, this.empty, this.pager.element, legend());
    this.readAddress();
  }

  /** Takes the filter and the order from the address. */
  readAddress() {
    const {query} = read();
    const known = (key, values) => (values.includes(query.get(key)) ? query.get(key) : USUAL[key]);
    const sorts = ['attention', ...COLUMNS.map(([, sort]) => sort).filter(Boolean)];
    this.wanted = {
      contains: query.get('contains') ?? '', state: known('state', Object.keys(STATES)), kind: known('kind', Object.keys(KINDS)),
      sort: known('sort', sorts.flatMap((sort) => [sort, `-${sort}`])), offset: /^\d{1,4}$/.test(query.get('offset') ?? '') ? Number(query.get('offset')) : 0,
    };
    this.filter.value = this.wanted.contains;
    this.states.value = this.wanted.state;
    this.kinds.value = this.wanted.kind;
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
  }

  showOrder() {
    setAttribute(this.urgent, 'aria-pressed', String(this.wanted.sort === 'attention'));
    for (const head of this.heads) {
      const up = this.wanted.sort === head.sort;
      const down = this.wanted.sort === `-${head.sort}`;
      setAttribute(head, 'aria-sort', up ? 'ascending' : down ? 'descending' : null);
    }
  }

  want(change) {
    Object.assign(this.wanted, {offset: 0}, change);
    write(Object.fromEntries(Object.entries(this.wanted).map(([key, value]) => [key, value === USUAL[key] ? null : String(value)])));
    this.showOrder();
    this.changed();
  }

  turn(offset) {
    this.want({offset});
    this.element.scrollIntoView({block: 'nearest'});
  }

  /** Requests the selected rows, and shows them unless the selection has changed meanwhile. */
  async refresh({hasMajority}) {
    const asked = {...this.wanted};
    const {contains, state, kind, sort, offset} = asked;
    const filter = contains.startsWith('^') ? {prefix: contains.slice(1)} : {contains};
    const page = await get('/v1/table', {...filter, state, kind, sort, offset: String(offset), limit: String(PAGE)});
    const outdated = Object.keys(asked).some((key) => asked[key] !== this.wanted[key]);
    if (outdated) {
      return;
    }
    if (page.locks.length === 0 && page.unread) {
      return; // the server has not read the locks of this page yet
    }
    if (page.locks.length === 0 && offset > 0) {
      this.want({offset: Math.max(0, Math.floor((page.matching - 1) / PAGE) * PAGE)}); // the last pages no longer exist
      return;
    }
    this.show(page, hasMajority);
  }

  show(page, hasMajority) {
    keep(this.body, page.locks, (lock) => lock.lock, makeRow, (row, lock) => updateRow(row, lock, page.nodes));
    const filtered = this.wanted.contains !== '' || this.wanted.state !== '' || this.wanted.kind !== '';
    setText(this.count, countOf(page, filtered));
    setText(this.old, page.ageMillis > OLD_MILLIS ? `counted and sorted ${span(page.ageMillis)} ago` : '');
    this.list.hidden = page.locks.length === 0;
    this.showEmpty(page.locks.length === 0, filtered, hasMajority);
    this.pager.show(page.offset, page.locks.length, page.matching);
  }

  showEmpty(isEmpty, filtered, hasMajority) {
    const kind = `${filtered} ${hasMajority}`;
    if (this.empty.hidden === !isEmpty && this.empty.kind === kind) {
      return;
    }
    this.empty.hidden = !isEmpty;
    this.empty.kind = kind;
    this.empty.replaceChildren(...(!hasMajority ? [el('strong', {}, 'No lock is known'), el('span', {}, 'Too few nodes answer and vote.')] : filtered
      ? [el('strong', {}, 'No lock matches'), el('span', {}, 'Change the filter, the state or the kind.')]
      : [el('strong', {}, 'No lock is in use'), el('span', {}, 'Acquire one, and it appears here:'),
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
  return el('details', {class: 'legend'}, el('summary', {}, 'Legend'),
    el('dl', {},
      strip('for'), el('dd', {}, 'This node votes for the holder. A lock is held, and green, only with the votes of a majority of nodes.'),
      strip('other'), el('dd', {}, 'This node votes for another owner.'),
      strip('none'), el('dd', {}, 'This node has no vote.'),
      strip('silent'), el('dd', {}, 'This node does not answer.'),
      el('dt', {}, 'Lease left'), el('dd', {}, 'The time until the lease expires, unless its client extends it. An extension makes the bar jump.'),
      el('dt', {}, 'Token'), el('dd', {}, 'The fencing token, which increases with every lease. The protected resource must reject smaller ones.'),
      ...Object.entries(MODES).flatMap(([mode, text]) => [el('dt', {}, el('span', {class: 'mode'}, mode)), el('dd', {}, text)])));
}
