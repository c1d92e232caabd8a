package dev.holdfast.simulator;

import java.util.List;
import java.util.stream.Stream;

/** The promises that a schedule checks, in true time. {@code docs/explanation/guarantees.md} lists the assumptions of each. */
public enum Promise {
    /** No two conflicting leases believe themselves valid, each by its own clocks. */
    ONE_HOLDER,
    /** A lease's token is above that of every conflicting lease before it. */
    TOKENS_RISE,
    /** A store that looks at tokens is not written by a holder after one that came later. */
    NO_STALE_WRITE,
    /** A waiter that is queued at all nodes is not overtaken by one that knows of it. */
    IN_ORDER,
    /**
     * Turns of one client have a lease in the order of their requests. Once the client knows of another waiter, it hands the lease over at
     * most sixteen times, and the lease does not linger.
     */
    LOCAL_ORDER,
    /**
     * As the nodes see it: while a majority of them has a request of another client behind a lease, the lease goes to sixteen turns at most,
     * and is not kept idle.
     */
    FAIR,
    /** A holder receives the last confirmed value, or one that was written after it, unless nodes have lost it. */
    VALUES,
    /** Once a seal is confirmed, no client acquires the lock until the seal ends, unless nodes have lost it. */
    DONE_ONCE,
    /** Once all is well, every waiter acquires the lock in turn. */
    SERVED,
    /** At risk before lost, lost at the deadline, once, never after a release. */
    SIGNALS,
    /** No request uses an id that was released, and a lease extends only votes that it holds. */
    MANNERS,
    /** A vote whose attempt has ended is released as soon as messages arrive. */
    NO_ORPHANS,
    /** The production code logs no error: none of its steps throws. */
    NO_ERROR,
    /** A client whose machine was frozen does not take that for a step of the nodes' clocks, and quarantines no node for it. */
    NO_BLAME,
    /** The stages that callers of a closed client wait for end. */
    ENDED,
    /** In the end nothing is left at any node or client. */
    NOTHING_LEFT;

    /** The promises that hold regardless of the nodes' clocks. */
    static final List<Promise> WHATEVER_CLOCKS_DO =
            List.of(TOKENS_RISE, NO_STALE_WRITE, LOCAL_ORDER, SERVED, SIGNALS, MANNERS, NO_ERROR, NOTHING_LEFT);

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

    /** The same, if nodes remember fences and seals for longer than a schedule lasts. */
    static final List<Promise> WHILE_FENCES_STAY =
            UNDER_FAULTS.stream().filter(promise -> promise != NOTHING_LEFT).toList();

    /** The same for clients that are closed meanwhile. */
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
