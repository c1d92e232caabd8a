// How long a waiter is likely to wait, from the recent holds of the lock. This module does not use the page.

export const FEWEST = 5;
const LEAST_LONGER = 3;
/** Each mode, with the modes that another owner may hold at the same time. */
const COMPATIBLE = {
  NL: ['NL', 'CR', 'CW', 'PR', 'PW', 'EX'], CR: ['NL', 'CR', 'CW', 'PR', 'PW'], CW: ['NL', 'CR', 'CW'],
  PR: ['NL', 'CR', 'PR'], PW: ['NL', 'CR'], EX: ['NL'],
};
/** Four of five values of a normal distribution are within so many standard deviations. */
const FOUR_OF_FIVE = 1.2816;

/** Returns for each waiter how many groups of waiters are ahead. Consecutive waiters whose modes are compatible get the lock together. */
export function groupsAhead(waiters) {
  let group = 0;
  let modes = [];
  return waiters.map(({mode}) => {
    if (modes.some((other) => !COMPATIBLE[mode]?.includes(other))) {
      group++;
      modes = [];
    }
    modes.push(mode);
    return group;
  });
}

export function quantile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.round(part * (sorted.length - 1)))];
}

/**
 * Returns the range in which four of five waits end, as {low, high} in ms from now, or {reason} if the known holds do not support an estimate.
 *
 * @param groups how many groups of waiters are ahead
 * @param heldMillis how long the present holder holds the lock; null if there is no holder or that is unknown
 */
export function estimate(holds, groups, holder) {
  if (holds.length < FEWEST) {
    return {reason: `no estimate: ${holds.length} of the ${FEWEST} holds that it needs are known`};
  }
  const sorted = [...holds].sort((one, other) => one - other);
  const rest = holder === null ? {low: 0, middle: 0, high: 0} : restOf(sorted, holder);
  if (rest.reason) {
    return rest;
  }
  const mean = sorted.reduce((sum, hold) => sum + hold, 0) / sorted.length;
  const variance = sorted.reduce((sum, hold) => sum + (hold - mean) ** 2, 0) / (sorted.length - 1);
  const middle = rest.middle + groups * mean;
  const spread = groups * variance * FOUR_OF_FIVE ** 2;
  return {
    low: Math.max(0, middle - Math.sqrt(spread + (rest.middle - rest.low) ** 2)),
    high: middle + Math.sqrt(spread + (rest.high - rest.middle) ** 2),
  };
}

/** Returns how much longer the holder holds, from the known holds that lasted longer than its own has so far. */
function restOf(sorted, {heldMillis, exact}) {
  const passed = exact ? heldMillis : 0;
  const longer = sorted.filter((hold) => hold > passed).map((hold) => hold - passed);
  if (longer.length < LEAST_LONGER) {
    return {reason: `no estimate: the holder has held it for longer than ${sorted.length - longer.length} of ${sorted.length} known holds`};
  }
  return {low: exact ? quantile(longer, 0.1) : 0, middle: quantile(longer, 0.5), high: quantile(longer, 0.9)};
}
