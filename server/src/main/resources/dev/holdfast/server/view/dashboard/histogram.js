// The bins of a histogram of durations. They grow with the durations, so that short holds are visible beside very long ones. This module does not use the page.

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The limits between bins, in ms. */
const LIMITS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 20 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE,
  HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR, 48 * HOUR, 120 * HOUR, 240 * HOUR,
];
const FEWEST = 6;

/** Returns the bins from the shortest to the longest duration, as {from, to, count} in ms; the last bin may have no end. */
export function binsOf(millis) {
  const all = [0, ...LIMITS].map((from, index) => ({from, to: LIMITS[index] ?? Infinity, count: 0}));
  millis.forEach((one) => all.findLast(({from}) => one >= from || from === 0).count++);
  let first = all.findIndex(({count}) => count > 0);
  let last = all.findLastIndex(({count}) => count > 0);
  while (last - first + 1 < FEWEST) {
    first = Math.max(0, first - 1);
    last = last - first + 1 < FEWEST ? Math.min(all.length - 1, last + 1) : last;
  }
  return all.slice(first, last + 1);
}

/** Returns a limit in a form that fits below an axis. */
export function limitText(millis) {
  const [unit, word] = millis < SECOND ? [1, 'ms'] : millis < MINUTE ? [SECOND, 's'] : millis < HOUR ? [MINUTE, 'min'] : [HOUR, 'h'];
  return `${millis / unit} ${word}`;
}
