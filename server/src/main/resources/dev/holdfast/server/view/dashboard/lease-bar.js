// A lease as a bar, which drains with time, and jumps when the lease is extended.

import {el, setAttribute, setText} from './dom.js';
import {left} from './words.js';

const LOW = 0.25;
const bars = new Set();
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class LeaseBar {
  constructor() {
    this.fill = el('i');
    this.bar = el('span', {class: 'bar', 'aria-hidden': 'true'}, this.fill);
    this.text = el('span', {class: 'left'});
    this.element = el('span', {class: 'lease'}, this.bar, this.text);
    this.token = null;
    this.certain = true;
    this.full = 0;
    this.end = 0;
    bars.add(this);
  }

  /** Sets the remaining time of a lease; null for none. The full bar is the ttl, or if that is unknown, the longest remaining time so far. */
  set(remainingMillis, ttlMillis, token, certain) {
    this.certain = certain;
    setAttribute(this.element, 'data-certain', String(certain));
    setAttribute(this.bar, 'data-certain', String(certain));
    this.bar.hidden = remainingMillis === null;
    if (remainingMillis === null) {
      this.stop();
      return;
    }
    const same = token === this.token;
    const end = performance.now() + remainingMillis;
    const jump = end - this.end;
    this.full = Math.max(ttlMillis ?? 0, remainingMillis, same ? this.full : 0);
    if (same && Math.abs(jump) < Math.max(250, this.full * 0.02)) {
      return; // the bar drains as it should
    }
    setAttribute(this.bar, 'data-renewed', same && jump > 0 ? 'true' : null);
    this.token = token;
    this.end = end;
    this.drain();
    this.tick();
  }

  drain() {
    this.motion?.cancel();
    const from = Math.max(0, this.end - performance.now());
    const start = `scaleX(${Math.min(1, from / this.full)})`;
    this.fill.style.transform = start;
    if (!calm.matches && from > 0) {
      this.motion = this.fill.animate([{transform: start}, {transform: 'scaleX(0)'}], {duration: from, fill: 'forwards'});
    }
  }

  stop() {
    this.motion?.cancel();
    this.token = null;
    this.end = 0;
    setText(this.text, '');
  }

  /** Stops the bar while the state of the lease is unknown. */
  pause(isOld) {
    if (this.motion && isOld !== (this.motion.playState === 'paused')) {
      isOld ? this.motion.pause() : this.drain();
    }
  }

  tick() {
    if (!this.element.isConnected && this.shown) {
      this.motion?.cancel();
      bars.delete(this); // the bar's row is gone
      return;
    }
    this.shown = this.element.isConnected;
    if (this.token === null) {
      return;
    }
    const isOld = document.documentElement.dataset.fresh === 'gone' || document.documentElement.dataset.fresh === 'late';
    this.pause(isOld);
    const remaining = Math.max(0, this.end - performance.now());
    setAttribute(this.bar, 'data-low', String(remaining < this.full * LOW));
    setText(this.text, isOld ? '?' : `${left(remaining)}${this.certain ? '' : '?'}`);
    if (calm.matches) {
      this.fill.style.transform = `scaleX(${Math.min(1, remaining / this.full)})`;
    }
  }
}

setInterval(() => bars.forEach((bar) => bar.tick()), 250);
