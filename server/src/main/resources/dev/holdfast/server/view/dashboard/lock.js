// The view of one lock: its holder, its waiters, the answer of each node, and its events.

import {Break} from './break.js';
import {isBreakable} from './breakable.js';
import {el, keep, setAttribute, setText} from './dom.js';
import {Events} from './events.js';
import {Facts, sealText} from './facts.js';
import {Sightings, WINDOW_MILLIS} from './lanes.js';
import {LeaseBar} from './lease-bar.js';
import {Queue} from './queue.js';
import {MODES} from './rows.js';
import {get, Refused, serverNow} from './server.js';
import {follow} from './stream.js';
import {TimelinePanel} from './timeline-panel.js';
import {Matrix} from './votes.js';
import {capital, clock, plural, quoted, span, visible, who, whose} from './words.js';

const MOST_EVENTS = 2_000;

export class LockView {
  /** @param changed called when the lock's state should be requested again at once */
  constructor(name, overview, changed) {
    this.name = name;
    this.title = visible(name);
    this.changed = changed;
    this.events = [];
    this.sightings = new Sightings();
    this.fromMillis = serverNow();
    this.extendedFromMillis = this.fromMillis;
    this.holders = el('ul', {class: 'holders'});
    this.state = el('p', {class: 'state', role: 'status'});
    this.queue = new Queue();
    this.facts = new Facts();
    this.matrix = new Matrix();
    this.incidents = [];
    this.nodes = overview?.nodes ?? [];
    this.timeline = new TimelinePanel(name, this);
    this.list = new Events();
    this.break = new Break(changed);
    this.mayBreak = overview?.rights.includes('admin') ?? false;
    this.lines = el('div', {class: 'lines'});
    this.element = el('article', {class: 'lock'},
      el('header', {class: 'lock-head card'},
        el('p', {class: 'crumb'}, el('a', {href: '#/'}, '← All locks')),
        el('h1', {class: 'mono', id: 'lock-title', tabindex: '-1', title: visible(name)}, el('bdi', {}, visible(name))),
        this.state, this.holders),
      this.timeline.element,
      this.queue.element,
      panel('Votes', '', this.matrix.root),
      panel('Details', '', this.facts.element),
      panel('Events', '', this.list.element),
      panel('Commands', '', this.lines),
      this.break.dialog);
    this.showLines(overview);
  }

  /** Loads the known events, those before the server's start included, and then follows new ones. */
  async start() {
    const history = await get('/v1/history', {lock: this.name, from: String(Math.floor(serverNow() - WINDOW_MILLIS))});
    this.events = history.events;
    this.fromMillis = history.fromMillis;
    this.extendedFromMillis = history.extendedFromMillis;
    this.incidents = history.incidents;
    if (!this.stopped) {
      this.unfollow = follow({lock: this.name}, history.lastEventId, (event) => this.hear(event));
    }
    this.started = true;
  }

  stop() {
    this.stopped = true;
    this.unfollow?.();
  }

  hear(event) {
    if (event.type === 'missed') {
      this.started = false; // requests the history again, so that it includes the gap
      this.unfollow?.();
    } else if (event.lock === this.name) {
      this.events.push(event);
      this.changed();
    } else if (event.node) {
      this.incidents.push(event);
      this.changed();
    }
  }

  /** Returns the holders that the timeline shows. Without a majority, these are the last certain holders, and the owners that still have votes. */
  shownHolders() {
    const {status} = this;
    if (!status) {
      return [];
    }
    if (status.state !== 'unknown') {
      this.certainHolders = status.holders.filter((holder) => holder.hasMajority);
      return this.certainHolders;
    }
    const former = this.certainHolders ?? [];
    const others = status.holders.filter((holder) => !former.some(({owner}) => owner === holder.owner));
    return [...former, ...others].map((holder) => ({...holder, uncertain: true}));
  }

  async refresh(overview) {
    this.nodes = overview.nodes;
    if (!this.started) {
      await this.start();
    }
    const status = await get('/v1/status', {lock: this.name});
    this.sightings.add(status);
    this.status = status;
    await this.timeline.refresh();
    this.show(status);
  }

  show(status) {
    const [tone, text] = verdict(status);
    setText(this.state, text);
    setAttribute(this.state, 'data-tone', tone);
    keep(this.holders, status.holders, (holder) => holder.owner, () => this.makeHolder(), (item, holder) => this.updateHolder(item, holder, status));
    this.queue.show(status);
    this.facts.show(status);
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
    setText(name.children[0], holder.kind === 'holdfast' ? who(holder) : holder.kind === 'foreign' ? `a client of another library (${visible(holder.owner)})` : `content that is not a lock (${visible(holder.owner)})`);
    setText(name.children[1], [whose(holder), certain ? '' : `${plural(holder.votes, 'vote')}, no majority`].filter(Boolean).join(' · '));
    setAttribute(name, 'title', visible(holder.owner));
    item.holder = holder;
    item.status = status;
    item.bar.set(holder.remainingMillis, holder.ttlMillis, holder.token || holder.owner, certain);
    setText(token, holder.token ? `token ${holder.token}${certain ? '' : '?'}` : 'no token');
    const mayBreak = this.mayBreak && isBreakable(holder, status.holders);
    if (mayBreak && !right.firstChild) {
      right.append(el('button', {type: 'button', onclick: () => this.break.open(this.name, item.holder, item.status)}, 'Break…'));
    } else if (!mayBreak) {
      right.replaceChildren();
    }
  }

  /** Updates the parts that change with time alone. */
  tick() {
    const now = serverNow();
    for (const item of this.holders.children) {
      const {sinceMillis, sinceExact, hasMajority} = item.holder;
      setText(item.children[2], sinceMillis && hasMajority ? `${sinceExact ? `since ${clock(sinceMillis)}, for` : 'for at most'} ${span(now - sinceMillis)}` : '');
    }
    this.queue.tick();
    this.events = this.events.filter((event) => event.atMillis > now - WINDOW_MILLIS).slice(-MOST_EVENTS);
    this.timeline.draw();
    this.list.show(this.events);
  }

  showLines(overview) {
    const nodes = overview?.nodes.map((node) => node.node) ?? [];
    const own = nodes.length === 0 || nodes.some((node) => !node.includes('://'));
    const where = own ? [`${location.protocol === 'https:' ? 'holdfasts' : 'holdfast'}://${location.host}`] : nodes;
    const name = this.name.startsWith('-') ? `-- ${quoted(this.name)}` : quoted(this.name);
    const token = overview && overview.rights.length < 3 ? " -H 'Authorization: Bearer …'" : '';
    this.lines.replaceChildren(
      line('Print the holders', `holdfast status ${where.map((node) => `--node ${quoted(node)}`).join(' ')} ${name}`),
      line('Request the JSON from this server', `curl -sG${token} --data-urlencode ${quoted(`lock=${this.name}`)} ${location.origin}/v1/status`));
  }
}

function verdict(status) {
  const holders = status.holders.filter((holder) => holder.hasMajority);
  const nodes = status.nodes.length;
  switch (status.state) {
    case 'held': return ['good', holders.length === 1 ? `Held, with the votes of ${holders[0].votes} of ${plural(nodes, 'node')}` : `Shared by ${holders.length} holders`];
    case 'waited-for': return ['wait', 'No client holds the lock yet; clients wait for it'];
    case 'undecided': return ['bad', 'Undecided: there are votes, but no owner has a majority'];
    case 'sealed': return ['quiet', `Sealed ${sealText(status.seal)}`];
    case 'unknown': return ['bad', `Uncertain: ${status.voting} of ${plural(nodes, 'node')} ${status.voting === 1 ? 'answers and votes' : 'answer and vote'}`];
    default: return ['quiet', 'Free: no holder and no waiter'];
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
  return failure instanceof Refused ? visible(failure.message) : 'The page failed. The browser’s console has the reason.';
}
