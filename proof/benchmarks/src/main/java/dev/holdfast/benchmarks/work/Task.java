package dev.holdfast.benchmarks.work;

/** The kinds of work of a worker process. */
public enum Task {
    /** Each thread uses its own lock: {@link OwnLocks}. */
    OWN_LOCKS,
    /** All threads use the same lock: {@link HotLock}. */
    HOT_LOCK,
    /** {@link ReadersWriters}. */
    READERS_WRITERS,
    /** {@link HandOver}. */
    HAND_OVER,
    /** {@link HoldOne}. */
    HOLD_ONE,
    /** {@link FirstGrant}. */
    FIRST_GRANT,
    /** {@link HoldInClients}. */
    HOLD_IN_CLIENTS,
    /** {@link ManyLeases}. */
    MANY_LEASES,
    /** {@link ManyWaiters}. */
    MANY_WAITERS,
    /** {@link Observe}. */
    OBSERVE,
    /** {@link Profile}. */
    PROFILE;

    /** Executes the order; the answer includes the load of the JIT compiler while the order ran. */
    public static Answer run(Order order, Clients clients) throws Exception {
        Effort before = Effort.now();
        Answer answer = valueOf(order.work()).work().run(order, clients);
        Effort effort = Effort.now().since(before);
        return answer.whileCompiling(effort.compilerNanos() / effort.nanos());
    }

    private Work work() {
        return switch (this) {
            case OWN_LOCKS -> new OwnLocks();
            case HOT_LOCK -> new HotLock();
            case READERS_WRITERS -> new ReadersWriters();
            case HAND_OVER -> new HandOver();
            case HOLD_ONE -> new HoldOne();
            case FIRST_GRANT -> new FirstGrant();
            case HOLD_IN_CLIENTS -> new HoldInClients();
            case MANY_LEASES -> new ManyLeases();
            case MANY_WAITERS -> new ManyWaiters();
            case OBSERVE -> new Observe();
            case PROFILE -> new Profile();
        };
    }
}
