// The wait-for graph: which clients wait for which holders, across locks.

import {lockAddress} from './address.js';
import {el, setAttribute, setText, svg} from './dom.js';
import {levelsOf} from './levels.js';
import {PlainTable} from './plain-table.js';
import {get} from './server.js';
import {isCertain} from './votes.js';
import {count, plural, visible, who} from './words.js';

const MOST_DRAWN = 40;
const HIGH = 42;
const GAP_Y = 16;
const WIDE_SCREEN = {wide: 220, gap: 110, name: 26, lock: 30};
const NARROW_SCREEN = {wide: 142, gap: 40, name: 17, lock: 18};
const NARROW = matchMedia('(max-width: 760px)');

export class Waits {
  constructor(changed) {
    this.title = 'Wait-for graph';
    this.verdict = el('p', {class: 'state', role: 'status'});
    this.picture = svg('svg', {class: 'graph', role: 'img'});
    this.frame = el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Picture of the graph'}, this.picture);
    this.note = el('p', {class: 'note'});
    this.table = new PlainTable('Table of waits', 'Waits, those of circles first', ['Waiter', 'Lock', 'Holder', 'Circle'], changed);
    this.element = el('section', {class: 'card panel', 'aria-labelledby': 'waits-title'},
      el('h1', {id: 'waits-title', tabindex: '-1'}, 'Wait-for graph'), this.verdict, this.frame, this.note, ...this.table.elements);
  }

  async refresh(overview) {
    const graph = await get('/v1/waits');
    const {clients, waits, circles, more} = graph;
    const [tone, text] = verdict(circles, waits.length, isCertain(overview));
    setText(this.verdict, text);
    setAttribute(this.verdict, 'data-tone', tone);
    const drawn = clients.slice(0, MOST_DRAWN);
    this.draw(drawn, waits.filter(({waiter, holder}) => waiter < drawn.length && holder < drawn.length));
    setText(this.note, [
      waits.length > 0 ? 'An arrow leads from a waiter to the holder. Owners with the same token and label count as one client, and so do the threads of a process. A circle is therefore a possible deadlock: threads may wait independently. The waits of a process count after five seconds.' : '',
      clients.length > drawn.length ? `The picture shows ${drawn.length} of ${count(clients.length)} clients.` : '',
      more > 0 ? `Not listed: ${plural(more, 'more wait')} outside circles.` : '',
    ].filter(Boolean).join(' '));
    this.frame.hidden = waits.length === 0;
    this.table.show(waits, ({waiter, holder, lock}) => `${clients[waiter].owner} ${clients[holder].owner} ${lock}`, () => el('tr', {}, el('td'), el('td', {}, el('a', {class: 'mono'})), el('td'), el('td', {class: 'kind'})), (row, wait) => {
      setText(row.children[0], who(clients[wait.waiter]));
      setText(row.children[1].firstElementChild, visible(wait.lock));
      setAttribute(row.children[1].firstElementChild, 'href', lockAddress(wait.lock));
      setText(row.children[2], who(clients[wait.holder]));
      setText(row.children[3], wait.circle === null ? '' : `circle ${wait.circle}`);
      setAttribute(row.children[3], 'data-kind', wait.circle === null ? null : 'lost');
    });
  }

  /** Draws the graph if it differs from the drawn one. Its layout would otherwise take a fifth of a core while nothing happens. */
  draw(clients, waits) {
    const size = NARROW.matches ? NARROW_SCREEN : WIDE_SCREEN;
    const drawn = JSON.stringify([clients, waits, size]);
    if (this.drawn === drawn) {
      return;
    }
    this.drawn = drawn;
    const levels = levelsOf(clients.length, waits);
    const columns = [];
    const places = clients.map((client, index) => {
      const column = (columns[levels[index]] ??= []);
      column.push(index);
      return {x: levels[index] * (size.wide + size.gap) + 3, y: (column.length - 1) * (HIGH + GAP_Y) + 8};
    });
    const width = Math.max(1, columns.length) * (size.wide + size.gap) - size.gap + 6;
    const height = Math.max(1, ...columns.map((column) => column?.length ?? 0)) * (HIGH + GAP_Y) + 30;
    setAttribute(this.picture, 'viewBox', `0 0 ${width} ${height}`);
    setAttribute(this.picture, 'width', width);
    setAttribute(this.picture, 'height', height);
    setAttribute(this.picture, 'aria-label', `${plural(clients.length, 'client')}, ${plural(waits.length, 'wait')}. The table below lists them.`);
    this.picture.replaceChildren(
      ...clients.map((client, index) => box(places[index], client, size)),
      ...waits.flatMap((wait) => edge(places[wait.waiter], places[wait.holder], wait, size)),
      ...namesOf(waits, places, size));
  }

  tick() {}
}

function verdict(circles, waits, certain) {
  if (circles > 0) {
    return ['bad', `${plural(circles, 'circle')}: a possible deadlock`];
  }
  if (!certain) {
    return ['bad', waits > 0 ? 'No circle among the known waits; too few nodes answer and vote to know all' : 'Not known: too few nodes answer and vote'];
  }
  return waits > 0 ? ['wait', 'No circle'] : ['quiet', 'No client waits for a holder'];
}

function edge(from, to, {lock, circle}, {wide, gap}) {
  const forward = to.x > from.x;
  const [x1, y1, x2, y2] = [from.x + (forward ? wide : wide / 2), from.y + (forward ? HIGH / 2 : HIGH), to.x + (forward ? 0 : wide / 2 + 14), to.y + (forward ? HIGH / 2 : HIGH)];
  const path = forward ? `M${x1} ${y1}C${x1 + gap / 2} ${y1} ${x2 - gap / 2} ${y2} ${x2 - 2} ${y2}` : `M${x1} ${y1}C${x1} ${y1 + 34} ${x2} ${y2 + 34} ${x2} ${y2 + 2}`;
  const kind = circle === null ? 'free' : 'circle';
  const head = forward ? `M${x2} ${y2}l-9 -4v8z` : `M${x2} ${y2}l-4 9h8z`;
  return [svg('path', {class: `edge ${kind}`, d: path}, svg('title', {}, visible(lock))), svg('path', {class: `arrow ${kind}`, d: head}),
];
}

/** Names the locks once for each waiter, at the start of its arrows. */
function namesOf(waits, places, size) {
  const names = new Map();
  waits.forEach(({waiter, lock}) => names.set(waiter, new Set([...names.get(waiter) ?? [], lock])));
  return [...names].map(([waiter, locks]) => svg('text', {class: 'edge-name', x: places[waiter].x + size.wide - 8, y: places[waiter].y + HIGH - 6, 'text-anchor': 'end'}, cut(`→ ${visible([...locks][0])}${locks.size > 1 ? ` +${locks.size - 1}` : ''}`, size.lock)));
}

function box({x, y}, client, {wide, name}) {
  return svg('g', {class: `client ${client.circle === null ? '' : 'circle'}`}, svg('rect', {x, y, width: wide, height: HIGH, rx: 8}), svg('text', {x: x + 10, y: y + 18}, cut(who(client), name)), svg('title', {}, `${who(client)}, ${visible(client.owner)}`));
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
