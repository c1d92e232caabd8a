// Which of a lock's owners an operator can break, and which others that affects.

/** Returns whether a break with this owner's token ends this owner's lease. A vote without a majority can have the token of the lease, and a break then ends the lease. */
export function isBreakable(holder, holders) {
  const isLease = holder.hasMajority || !holders.some((other) => other.hasMajority && other.token === holder.token);
  return holder.kind === 'holdfast' && holder.token > 0 && isLease;
}

/** Returns how many other holders keep their leases, and how many have the same token: holders that share a lock may have acquired it at the same moment. */
export function othersOf(holder, holders) {
  const others = holders.filter((one) => one.hasMajority && one.owner !== holder.owner);
  const kept = others.filter((one) => one.token !== holder.token).length;
  return {kept, sameToken: others.length - kept};
}
