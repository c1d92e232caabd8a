package dev.holdfast.simulator;

import java.util.List;
import java.util.stream.Stream;

/** What a schedule is watched for, in true time. {@code docs/explanation/guarantees.md} says on what each rests. */
public enum Promise {
    /** No two conflicting leases believe themselves valid, each by its own clocks. */
    ONE_HOLDER,
    /** A lease's token is above that of every conflicting lease before it. */
    TOKENS_RISE,
    /** A store that looks at tokens is not written by a holder after one that came later. */
    NO_STALE_WRITE,
    /** Who stands in line at all nodes is not overtaken by one who knows of that. */
    IN_ORDER,
    /**
     * Those of one client have a lease in the order in which they came, and once the client knows that another one waits, sixteen times
     * more at most; nor does it linger then.
     */
    LOCAL_ORDER,
    /**
     * As the nodes see it: while a majority of them has a request of another client behind a lease, the lease goes to sixteen turns at most,
     * and is not kept idle.
     */
    FAIR,
    /** Whoever gets the lock is told the last value that was confirmed, or one that was written after it; unless nodes have lost it. */
    VALUES,
    /** Once a seal is confirmed nobody gets the lock until it ends; unless nodes have lost it. */
    DONE_ONCE,
    /** Once all is well, everybody gets the lock in turn. */
    SERVED,
    /** At risk before lost, lost at the deadline, once, never after a release. */
    SIGNALS,
    /** Nothing is asked under an id that was released, and a lease prolongs only what it holds. */
    MANNERS,
    /** A vote whose attempt has ended goes as soon as messages arrive. */
    NO_ORPHANS,
    /** The production code logs no error: none of its steps throws. */
    NO_ERROR,
    /** A client whose machine was frozen does not take that for a step of the nodes' clocks: it quarantines no node for it. */
    NO_BLAME,
    /** What somebody waits for of a client that is closed ends. */
    ENDED,
    /** In the end nothing is left at any node or client. */
    NOTHING_LEFT;

    /** Everything that holds whatever the clocks of nodes do. */
    static final List<Promise> WHATEVER_CLOCKS_DO =
            List.of(TOKENS_RISE, NO_STALE_WRITE, LOCAL_ORDER, SERVED, SIGNALS, MANNERS, NO_ERROR, NOTHING_LEFT);

    /** Everything that holds under the stated assumptions, whatever else happens. */
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

    /** The same, where nodes remember fences and seals for longer than a schedule lasts. */
    static final List<Promise> WHILE_FENCES_STAY =
            UNDER_FAULTS.stream().filter(promise -> promise != NOTHING_LEFT).toList();

    /** The same for clients that are closed meanwhile. */
    static final List<Promise> WHILE_CLOSING =
            Stream.concat(UNDER_FAULTS.stream(), Stream.of(ENDED)).toList();

    /**
     * Everything that holds while machines of clients are frozen. {@link #ONE_HOLDER} leaves out a client that was frozen until it has had the
     * time to compare its clocks with the nodes' (PROTOCOL §5).
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

    /** Everything that holds if messages are late and lost, and nothing else happens. */
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

    /** Everything. */
    static final List<Promise> ALL = List.of(values());
}
