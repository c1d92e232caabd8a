/**
 * Leases of one client, from the request of a caller to the release at the nodes. This package is internal: users see its classes as
 * {@link dev.holdfast.lock.Lease}.
 *
 * <p>Read the classes in this order: {@code ClientLeases}, {@code LockSession}, {@code LeaseTurns}, {@code QuorumLease}, {@code LeaseRenewal}. Calls go down
 * this list; they go back up only through interfaces that the lower class declares (docs/decisions/0042). {@code LocalQueue} is added when a client has several
 * waiters.
 *
 * <p>This table lists the time limits of an acquire and its lease, and the effect of each:
 *
 * <table> <caption>Time limits</caption>
 * <tr><td>the caller's wait</td><td>{@code Waiter}, a {@code TimeLimit}</td><td>the wait; the limit of the last waiter ends the attempt</td></tr>
 * <tr><td>{@code noQuorumTimeout}</td><td>{@code NoQuorumWatch}</td><td>the waits without a limit of their own</td></tr>
 * <tr><td>{@code nodeTimeout}</td><td>{@code FanOut}</td><td>the wait for one node's answer</td></tr>
 * <tr><td>ttl</td><td>{@code LeaseRenewal}</td><td>the lease, unless it is extended</td></tr>
 * <tr><td>{@code maxHold}</td><td>{@code LeaseHandle}</td><td>one holder's lease</td></tr>
 * <tr><td>{@code linger}</td><td>{@code LocalQueue}, a {@code TimeLimit}</td><td>a free lease</td></tr>
 * <tr><td>{@code releaseAfter}</td><td>{@code Retention}, a {@code TimeLimit}</td><td>a lease whose holder is done</td></tr>
 * </table>
 */
@NullMarked
package dev.holdfast.internal.lease;

import org.jspecify.annotations.NullMarked;
