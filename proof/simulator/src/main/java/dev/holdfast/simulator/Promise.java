package dev.holdfast.simulator;

import java.util.List;
import java.util.stream.Stream;

/** The promises that a schedule checks, in true time. {@code docs/explanation/guarantees.md} lists the assumptions of each. */
public enum Promise {
    /** No two conflicting leases are valid at the same time, each by the clocks of its own client. */
    ONE_HOLDER,
    /** A lease's token is larger than that of every conflicting lease before it. */
    TOKENS_RISE,
    /** A store that compares tokens accepts no write of a holder after a write of a later holder. */
    NO_STALE_WRITE,
    /** A waiter that is queued at all nodes is not overtaken by a waiter whose client knows of it. */
    IN_ORDER,
    /**
     * Turns of one client hold a lease in the order of their requests. Once the client knows of another waiter, it hands the lease over at
     * most sixteen times, and the lease does not linger.
     */
    LOCAL_ORDER,
    /**
     * While a majority of the nodes has queued a request of another client behind a lease, the lease goes to sixteen turns at most, and is
     * not kept idle.
     */
    FAIR,
    /** While messages are neither late nor lost, the votes of a majority soon make a lease. */
    PROMPT,
    /** A holder receives the last confirmed value, or one that was written after it, unless nodes have lost it. */
    VALUES,
    /** Once a seal is confirmed, no client acquires the lock until the seal ends, unless nodes have lost it. */
    DONE_ONCE,
    /** Once a lease is confirmed as released by one client, no other client extends or adopts it. */
    ENDS_EVERYWHERE,
    /** Once all is well, every waiter acquires the lock in turn. */
    SERVED,
    /** A holder is notified of a risk before a loss, of the loss at the deadline and only once, and of neither after a release. */
    SIGNALS,
    /** No request uses an id that was released before, and a lease extends only votes that it holds. */
    MANNERS,
    /** A vote whose attempt has ended is released as soon as messages arrive. */
    NO_ORPHANS,
    /** A client keeps nothing at a node that it does not count, unless it is the vote of its lease: others would wait for it. */
    NO_BLOCKING,
    /** Servers of a cluster that have applied the same log have the same state. */
    REPLICAS_AGREE,
    /** The production code logs no error: none of its steps throws. */
    NO_ERROR,
    /** A client whose machine was frozen does not take the freeze for a step of the nodes' clocks, and quarantines no node because of it. */
    NO_BLAME,
    /** Every stage that a caller awaits ends when its client closes. */
    ENDED,
    /** In the end, no node or client has any state left. */
    NOTHING_LEFT;

    /** The promises that hold regardless of the nodes' clocks. */
    static final List<Promise> WHATEVER_CLOCKS_DO =
            List.of(TOKENS_RISE, NO_STALE_WRITE, LOCAL_ORDER, SERVED, SIGNALS, MANNERS, NO_ERROR, NOTHING_LEFT);

    /** The promises that hold while clients use different ttls for one lock. */
    static final List<Promise> WHILE_TTLS_DIFFER =
            Stream.concat(WHATEVER_CLOCKS_DO.stream(), Stream.of(NO_BLOCKING)).toList();

    /** The promises that hold under the stated assumptions, regardless of other events. */
    static final List<Promise> UNDER_FAULTS = List.of(
            ONE_HOLDER,
            TOKENS_RISE,
            NO_STALE_WRITE,
            LOCAL_ORDER,
            VALUES,
            DONE_ONCE,
            SERVED,
            SIGNALS,
            MANNERS,
            NO_ERROR,
            NOTHING_LEFT);

    /** The promises under faults and {@link #PROMPT}, for messages that are neither late nor lost while a connection lasts. */
    static final List<Promise> ON_A_GOOD_NETWORK =
            Stream.concat(UNDER_FAULTS.stream(), Stream.of(PROMPT)).toList();

    /** The promises under faults and {@link #REPLICAS_AGREE}, for a cluster whose leaders change. */
    static final List<Promise> WHILE_LEADERS_CHANGE =
            Stream.concat(UNDER_FAULTS.stream(), Stream.of(REPLICAS_AGREE)).toList();

    /** These promises and {@link #IN_ORDER}, for clients whose messages arrive: a cluster's own trouble delays waiters, and reorders none. */
    static final List<Promise> IN_ORDER_WHILE_LEADERS_CHANGE =
            Stream.concat(WHILE_LEADERS_CHANGE.stream(), Stream.of(IN_ORDER)).toList();

    /** The promises under faults if nodes remember fences and seals for longer than a schedule lasts: all but {@link #NOTHING_LEFT}. */
    static final List<Promise> WHILE_FENCES_STAY =
            UNDER_FAULTS.stream().filter(promise -> promise != NOTHING_LEFT).toList();

    /** The promises under faults and {@link #ENDS_EVERYWHERE}, for leases that move between clients. An extension of one client may be under way while another releases the lease. */
    static final List<Promise> WHILE_LEASES_MOVE = Stream.concat(
                    UNDER_FAULTS.stream().filter(promise -> promise != MANNERS), Stream.of(ENDS_EVERYWHERE))
            .toList();

    /** The promises under faults and {@link #ENDED}, for clients that are closed during a schedule. */
    static final List<Promise> WHILE_CLOSING =
            Stream.concat(UNDER_FAULTS.stream(), Stream.of(ENDED)).toList();

    /**
     * The promises that hold while machines of clients are frozen. {@link #ONE_HOLDER} leaves out a client that was frozen until it has had
     * the time to compare its clocks with the nodes' (PROTOCOL §5).
     */
    static final List<Promise> WHILE_CLIENTS_FREEZE = List.of(
            ONE_HOLDER,
            TOKENS_RISE,
            NO_STALE_WRITE,
            LOCAL_ORDER,
            SERVED,
            SIGNALS,
            MANNERS,
            NO_BLAME,
            NO_ERROR,
            NOTHING_LEFT);

    /** The promises that hold if messages are late and lost, and nothing else happens. */
    static final List<Promise> ON_A_BAD_NETWORK = List.of(
            ONE_HOLDER,
            TOKENS_RISE,
            NO_STALE_WRITE,
            LOCAL_ORDER,
            VALUES,
            DONE_ONCE,
            SERVED,
            SIGNALS,
            MANNERS,
            NO_ERROR,
            NO_ORPHANS,
            NOTHING_LEFT);

    /** All promises. */
    static final List<Promise> ALL = List.of(values());
}
