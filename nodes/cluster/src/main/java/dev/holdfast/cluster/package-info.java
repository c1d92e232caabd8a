/**
 * A lock node that several servers replicate by Raft: the strict cluster. All servers apply the same log to the same {@link
 * dev.holdfast.node.LockTable}, so the node loses nothing that it has acknowledged while a majority of servers keeps its disks.
 *
 * <p>{@code LogTime}, {@code Operation}, {@code Batch} and {@code LockStateMachine} are pure, and know nothing of Raft. {@link
 * dev.holdfast.cluster.ClusterServer} is one server, and {@code Group} its replica of one group of locks.
 */
@NullMarked
package dev.holdfast.cluster;

import org.jspecify.annotations.NullMarked;
