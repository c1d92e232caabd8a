// The time that the timeline shows: its length, its end, and replay. This module does not use the page.

export const SHORTEST = 1_000;
export const LONGEST = 3_600_000;
const REPLAY_MILLIS = 20_000;

export class Range {
  /** @param spanMillis the length; null for as much as is known, up to ten minutes @param toMillis the end; null for now */
  constructor(spanMillis = null, toMillis = null) {
    this.spanMillis = spanMillis === null ? null : clamp(spanMillis);
    this.toMillis = toMillis;
    this.replay = null;
  }

  /** Reads the range from an address. */
  static of(query) {
    const number = (key) => (/^\d{1,15}$/.test(query.get(key) ?? '') ? Number(query.get(key)) : null);
    return new Range(number('span'), number('to'));
  }

  parameters() {
    return {span: this.spanMillis === null ? null : String(this.spanMillis), to: this.toMillis === null ? null : String(Math.round(this.toMillis))};
  }

  /** Returns the range to draw as {start, end}; during replay, `cursor` is the time that the replay has reached. */
  at(nowMillis, usualMillis, clockMillis) {
    const end = Math.min(this.toMillis ?? nowMillis, nowMillis);
    const start = end - (this.spanMillis ?? usualMillis);
    if (this.replay === null) {
      return {start, end, cursor: null};
    }
    const passed = (clockMillis - this.replay) / REPLAY_MILLIS;
    if (passed >= 1) {
      this.replay = null;
      return {start, end, cursor: null};
    }
    return {start, end, cursor: start + passed * (end - start)};
  }

  /** Multiplies the length; the time at `part` of the width keeps its place. */
  zoom(factor, part, {start, end}, nowMillis) {
    const span = clamp((end - start) * factor);
    const fixed = start + part * (end - start);
    const to = fixed + (1 - part) * span;
    this.spanMillis = Math.round(span);
    this.toMillis = (this.toMillis === null && part === 1) || to >= nowMillis ? null : to;
  }

  pan(byMillis, {start, end}, nowMillis) {
    const to = end + byMillis;
    this.spanMillis ??= Math.round(end - start);
    this.toMillis = to >= nowMillis ? null : to;
  }

  live() {
    this.toMillis = null;
  }
}

function clamp(span) {
  return Math.min(LONGEST, Math.max(SHORTEST, span));
}

/** Returns a distance of marks of which at most `most` fit into the span. */
export function stepOf(spanMillis, most) {
  const steps = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000];
  return steps.find((step) => spanMillis / step <= most) ?? steps.at(-1);
}
