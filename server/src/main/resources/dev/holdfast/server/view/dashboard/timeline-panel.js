// The panel with the timeline: zoom, pan, replay, a link to the view, and the history that it requests from the server.

import {read, write} from './address.js';
import {el, setText} from './dom.js';
import {WINDOW_MILLIS} from './lanes.js';
import {Range} from './range.js';
import {get, serverNow} from './server.js';
import {Timeline} from './timeline.js';
import {brief, clock} from './words.js';

const PAUSE_MILLIS = 250;
const RELOAD_MILLIS = 5_000;

export class TimelinePanel {
  /** @param name the lock's name @param lock the view of the lock, which has the live events */
  constructor(name, lock) {
    this.name = name;
    this.lock = lock;
    this.range = Range.of(read().query);
    this.timeline = new Timeline();
    this.loaded = null;
    this.usual = WINDOW_MILLIS;
    this.shown = {start: serverNow() - 60_000, end: serverNow()};
    this.text = el('span', {class: 'count'});
    this.said = el('span', {class: 'said', role: 'status'});
    this.play = button('Replay', () => this.toggleReplay());
    this.box = el('div', {class: 'timeline-box', tabindex: '0', role: 'group', 'aria-label': 'Timeline: + and − zoom, arrow keys pan, Home shows now', onkeydown: (event) => this.press(event), onwheel: (event) => this.wheel(event), onpointerdown: (event) => this.drag(event)}, this.timeline.element);
    this.element = el('section', {class: 'card panel wide'}, el('div', {class: 'timeline-head'}, el('h2', {}, 'Timeline'), this.text, el('span', {class: 'grow'}), this.said,
      button('Zoom in', () => this.zoom(0.5)), button('Zoom out', () => this.zoom(2)), button('Earlier', () => this.pan(-0.5)), button('Later', () => this.pan(0.5)), button('Now', () => this.now()), this.play, button('Copy link', () => this.copy())), this.box);
  }

  zoom(factor, part = this.range.toMillis === null ? 1 : 0.5) {
    this.range.zoom(factor, part, this.shown, serverNow());
    this.changed();
  }

  pan(parts) {
    this.range.pan(parts * (this.shown.end - this.shown.start), this.shown, serverNow());
    this.changed();
  }

  now() {
    this.range.live();
    this.changed();
  }

  toggleReplay() {
    this.range.replay = this.range.replay === null ? performance.now() : null;
    this.lock.tick();
    if (this.range.replay !== null) {
      this.animate();
    }
  }

  animate() {
    requestAnimationFrame(() => {
      if (this.range.replay !== null && this.element.isConnected) {
        this.draw();
        this.animate();
      }
    });
  }

  press(event) {
    const act = {'+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2), ArrowLeft: () => this.pan(-0.25), ArrowRight: () => this.pan(0.25), Home: () => this.now()}[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  }

  /** Zooms with Ctrl only, so that the wheel still scrolls the page. */
  wheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.timeline.partAt(event.clientX));
    }
  }

  drag(event) {
    if (event.button !== 0) {
      return;
    }
    const from = this.timeline.partAt(event.clientX);
    const before = {...this.shown};
    const move = (moved) => {
      this.range.pan((from - this.timeline.partAt(moved.clientX)) * (before.end - before.start), before, serverNow());
      this.changed();
    };
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  async copy() {
    const {start, end} = this.shown;
    const address = `${location.href.replace(/\?.*$/, '')}?${new URLSearchParams({span: String(Math.round(end - start)), to: String(Math.round(end))})}`;
    try {
      await navigator.clipboard.writeText(address);
      setText(this.said, 'Copied');
    } catch {
      history.replaceState(null, '', address);
      setText(this.said, 'The address of this page is the link');
    }
    setTimeout(() => setText(this.said, ''), 3_000);
  }

  changed() {
    write(this.range.parameters());
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load().then(() => this.draw(), () => {}), PAUSE_MILLIS);
  }

  /** Requests the events of the range if they are older than the live ones. */
  async load() {
    const now = serverNow();
    const {start, end} = this.range.at(now, this.usual, performance.now()); // nothing is drawn yet when the page opens
    if (start >= Math.max(this.lock.fromMillis, now - WINDOW_MILLIS)) {
      this.loaded = null;
      return;
    }
    const to = this.range.toMillis === null ? null : String(Math.ceil(end));
    this.loaded = {...await get('/v1/history', {lock: this.name, from: String(Math.floor(start)), to}), loadedAt: performance.now()};
  }

  /** Called once a second: reloads a long range that ends now. */
  async refresh() {
    if (this.loaded === null ? this.range.spanMillis !== null || this.range.toMillis !== null : this.range.toMillis === null && performance.now() - this.loaded.loadedAt > RELOAD_MILLIS) {
      await this.load();
    }
  }

  draw() {
    const {lock, loaded} = this;
    const events = loaded ? [...loaded.events, ...lock.events.filter((event) => event.type === 'extended' || event.atMillis > loaded.atMillis)].sort((one, other) => one.atMillis - other.atMillis) : lock.events;
    const now = serverNow();
    const known = {
      fromMillis: loaded?.fromMillis ?? lock.fromMillis, extendedFromMillis: lock.extendedFromMillis,
      incidents: loaded?.incidents ?? lock.incidents, nodes: lock.nodes, holders: lock.shownHolders(),
    };
    this.timeline.draw(events, lock.sightings, known, now, (usual) => {
      this.usual = usual;
      this.shown = this.range.at(now, usual, performance.now());
      return this.shown;
    });
    const {start, end} = this.shown;
    setText(this.text, `${brief(Math.round(end - start))} until ${this.range.toMillis === null ? 'now' : `${new Date(end).toLocaleDateString()} ${clock(end)}`}`);
    setText(this.play, this.range.replay === null ? 'Replay' : 'Stop');
  }
}

function button(text, onclick) {
  return el('button', {type: 'button', onclick}, text);
}
