// The view of one lock: its holder, its waiters, the answer of each node, and its events.

import {Break} from './break.js';
import {el, keep, setAttribute, setText} from './dom.js';
import {Events} from './events.js';
import {Sightings, WINDOW_MILLIS} from './lanes.js';
import {LeaseBar} from './lease-bar.js';
import {MODES} from './rows.js';
import {get, Refused, serverNow} from './server.js';
import {follow} from './stream.js';
import {Timeline} from './timeline.js';
import {Matrix} from './votes.js';
import {capital, clock, plural, quoted, span, visible, who, whose} from './words.js';

const MOST_EVENTS = 2_000;
const MOST_QUEUE = 200;

export class LockView {
  /** @param changed called when the lock's state should be requested again at once */
  constructor(name, overview, changed) {
    this.name = name;
    this.changed = changed;
    this.events = [];
    this.sightings = new Sightings();
    this.fromMillis = serverNow();
    this.extendedFromMillis = this.fromMillis;
    this.holders = el('ul', {class: 'holders'});
    this.state = el('p', {class: 'state', role: 'status'});
    this.queue = el('ol', {class: 'line'});
    this.queueTitle = el('h2', {}, 'Queue');
    this.queueNote = el('p', {class: 'none'});
    this.matrix = new Matrix();
    this.timeline = new Timeline();
    this.list = new Events();
    this.break = new Break(changed);
    this.mayBreak = overview?.rights.includes('admin') ?? false;
    this.lines = el('div', {class: 'lines'});
    this.element = el('article', {class: 'lock'},
      el('header', {class: 'lock-head card'},
        el('p', {class: 'crumb'}, el('a', {href: '#/'}, '← All locks')),
        el('h1', {class: 'mono', id: 'lock-title', tabindex: '-1', title: visible(name)}, el('bdi', {}, visible(name))),
        this.state, this.holders),
      panel('Timeline', 'wide', this.timeline.element),
      el('section', {class: 'card panel'}, this.queueTitle, this.queue, this.queueNote),
      panel('Votes', '', this.matrix.root),
      panel('Events', '', this.list.element),
      panel('The same in a terminal', '', this.lines),
      this.break.dialog);
    this.showLines(overview);
  }

  /** Loads the known events, and then follows new ones. */
  async start() {
    const past = await get('/v1/history', {lock: this.name});
    this.events = past.events;
    this.fromMillis = past.fromMillis;
    this.extendedFromMillis = past.extendedFromMillis;
    if (!this.stopped) {
      this.unfollow = follow({lock: this.name}, past.lastEventId, (event) => this.hear(event));
    }
    this.started = true;
  }

  stop() {
    this.stopped = true;
    this.unfollow?.();
  }

  hear(event) {
    if (event.type === 'missed') {
      this.started = false; // requests the past again, so that it includes the gap
      this.unfollow?.();
    } else if (event.lock === this.name) {
      this.events.push(event);
      this.changed();
    }
  }

  async refresh() {
    if (!this.started) {
      await this.start();
    }
    const status = await get('/v1/status', {lock: this.name});
    this.sightings.add(status);
    this.show(status);
  }

  show(status) {
    const [tone, text] = verdict(status);
    setText(this.state, text);
    setAttribute(this.state, 'data-tone', tone);
    keep(this.holders, status.holders, (holder) => holder.owner, () => this.makeHolder(), (item, holder) => this.updateHolder(item, holder, status));
    this.showQueue(status.waiters);
    this.matrix.update(status);
    this.tick();
  }

  makeHolder() {
    const bar = new LeaseBar();
    const item = el('li', {}, el('span', {class: 'mode'}), el('span', {class: 'holder-name'}, el('strong'), el('small')), el('span', {class: 'for'}), bar.element, el('span', {class: 'token mono'}), el('span', {class: 'right'}));
    item.bar = bar;
    return item;
  }

  updateHolder(item, holder, status) {
    const [mode, name, , , token, right] = item.children;
    const certain = status.hasMajority && holder.hasMajority;
    setText(mode, holder.mode);
    setAttribute(mode, 'title', MODES[holder.mode]);
    setText(name.children[0], holder.kind === 'holdfast' ? who(holder) : holder.kind === 'foreign' ? `another kind of client (${visible(holder.owner)})` : `something that is no lock (${visible(holder.owner)})`);
    setText(name.children[1], [whose(holder), certain ? '' : `${plural(holder.votes, 'vote')}, no majority`].filter(Boolean).join(' · '));
    setAttribute(name, 'title', visible(holder.owner));
    item.holder = holder;
    item.bar.set(holder.remainingMillis, holder.ttlMillis, holder.token || holder.owner, certain);
    setText(token, holder.token ? `token ${holder.token}` : 'no token');
    const mayBreak = this.mayBreak && holder.kind === 'holdfast' && holder.token > 0;
    if (mayBreak && !right.firstChild) {
      right.append(el('button', {type: 'button', onclick: () => this.break.open(this.name, item.holder)}, 'Break…'));
    } else if (!mayBreak) {
      right.replaceChildren();
    }
  }

  showQueue(waiters) {
    setText(this.queueTitle, waiters.length ? `Queue: ${waiters.length}` : 'Queue');
    setText(this.queueNote, waiters.length === 0 ? 'Nobody stands in line.' : waiters.length > MOST_QUEUE ? `and ${waiters.length - MOST_QUEUE} more` : '');
    keep(this.queue, waiters.slice(0, MOST_QUEUE), (waiter) => waiter.owner, () => el('li', {}, el('span', {class: 'holder-name'}, el('strong'), el('small')), el('span', {class: 'mode'}), el('span', {class: 'for'})), (item, waiter) => {
      setText(item.children[0].children[0], who(waiter));
      setText(item.children[0].children[1], whose(waiter));
      setAttribute(item.children[0], 'title', visible(waiter.owner));
      setText(item.children[1], waiter.mode);
      item.waiter = waiter;
    });
  }

  /** Updates the parts that change with time alone. */
  tick() {
    const now = serverNow();
    for (const item of this.holders.children) {
      const {sinceMillis, sinceExact, hasMajority} = item.holder;
      setText(item.children[2], sinceMillis && hasMajority ? `${sinceExact ? `since ${clock(sinceMillis)}, for` : 'for at most'} ${span(now - sinceMillis)}` : '');
    }
    for (const item of this.queue.children) {
      setText(item.children[2], item.waiter.sinceMillis ? `waits for ${span(now - item.waiter.sinceMillis)}` : '');
    }
    this.events = this.events.filter((event) => event.atMillis > now - WINDOW_MILLIS).slice(-MOST_EVENTS);
    this.timeline.draw(this.events, this.sightings, this, now);
    this.list.show(this.events);
  }

  showLines(overview) {
    const nodes = overview?.nodes.map((node) => node.node) ?? [];
    const own = nodes.length === 0 || nodes.some((node) => !node.includes('://'));
    const where = own ? [`${location.protocol === 'https:' ? 'holdfasts' : 'holdfast'}://${location.host}`] : nodes;
    const name = this.name.startsWith('-') ? `-- ${quoted(this.name)}` : quoted(this.name);
    const token = overview && overview.rights.length < 3 ? " -H 'Authorization: Bearer …'" : '';
    this.lines.replaceChildren(
      line('Who holds it', `holdfast status ${where.map((node) => `--node ${quoted(node)}`).join(' ')} ${name}`),
      line('As JSON, from this server', `curl -sG${token} --data-urlencode ${quoted(`lock=${this.name}`)} ${location.origin}/v1/status`));
  }
}

function verdict(status) {
  const holders = status.holders.filter((holder) => holder.hasMajority);
  const nodes = status.nodes.length;
  switch (status.state) {
    case 'held': return ['good', holders.length === 1 ? `Held, with the votes of ${holders[0].votes} of ${plural(nodes, 'node')}` : `Shared by ${holders.length} holders`];
    case 'waited-for': return ['wait', 'Nobody holds it yet, and somebody stands in line'];
    case 'undecided': return ['bad', 'Undecided: there are votes, but nobody has a majority'];
    case 'sealed': return ['quiet', `Sealed: its work was declared done by ${visible(status.seal.by)}, ${span(status.seal.agoMillis)} ago`];
    case 'unknown': return ['bad', `Not known: ${status.voting} of ${plural(nodes, 'node')} ${status.voting === 1 ? 'answers and votes' : 'answer and vote'}, which is no majority`];
    default: return ['quiet', 'Free: nobody holds it, nobody waits'];
  }
}

function panel(title, kind, ...children) {
  return el('section', {class: `card panel ${kind}`}, el('h2', {}, title), ...children);
}

function line(title, command) {
  const said = el('span', {role: 'status', class: 'said'});
  const copy = el('button', {
    type: 'button', 'aria-label': `Copy: ${capital(title)}`, onclick: async () => {
      try {
        await navigator.clipboard.writeText(command);
        setText(said, 'Copied');
      } catch {
        setText(said, 'Select it to copy');
      }
      setTimeout(() => setText(said, ''), 2000);
    },
  }, 'Copy');
  return el('div', {class: 'line-of'}, el('div', {class: 'line-head'}, el('span', {}, title), said, copy), el('code', {tabindex: '0'}, command));
}

/** Returns the text for a failure of this view alone, which the view shows itself. */
export function problemOf(failure) {
  return failure instanceof Refused ? visible(failure.message) : 'The page failed; the console says why.';
}
