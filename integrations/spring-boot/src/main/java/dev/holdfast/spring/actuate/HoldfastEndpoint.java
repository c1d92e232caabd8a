package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code /actuator/holdfast}. It lists the leases that this application holds, its waiting attempts and its lost leases, at most {@value
 * #MOST} of each, the most important first. At {@code /actuator/holdfast/NAME} it shows the state of one lock on every node, whichever client holds
 * it.
 */
@Endpoint(id = "holdfast")
public final class HoldfastEndpoint {

    static final int MOST = 1_000;

    private final Holdfast holdfast;
    private final LockBook book;

    public HoldfastEndpoint(Holdfast holdfast, LockBook book) {
        this.holdfast = holdfast;
        this.book = book;
    }

    /**
     * The locks of this application.
     *
     * @param client the id under which nodes and other clients see this application
     * @param heldCount the number of all held leases, which may exceed the number shown
     * @param waitingCount the number of all waiting attempts
     * @param lostCount the number of leases lost since the start
     */
    public record Locks(
            String client,
            int heldCount,
            int waitingCount,
            long lostCount,
            List<LockBook.HeldLease> held,
            List<LockBook.WaitingAttempt> waiting,
            List<LockBook.LostLease> lost) {}

    @ReadOperation
    public Locks locks() {
        List<LockBook.HeldLease> held = book.held();
        List<LockBook.WaitingAttempt> waiting = book.waiting();
        return new Locks(
                holdfast.client(),
                held.size(),
                waiting.size(),
                book.lostCount(),
                held.subList(0, Math.min(held.size(), MOST)),
                waiting.subList(0, Math.min(waiting.size(), MOST)),
                book.lost());
    }

    /**
     * The state of a lock on the nodes.
     *
     * @param answered the number of nodes that have answered
     * @param nodes the number of all nodes
     * @param certain whether a majority has answered; otherwise the state is uncertain
     * @param holders the owners with votes of nodes; an owner holds the lock if it has a majority
     * @param waiters the waiters in the queue
     */
    public record Lock(
            String lock, int answered, int nodes, boolean certain, List<Holder> holders, List<Waiter> waiters) {}

    /**
     * An owner with votes of nodes, as in {@link LockStatus.Holder}.
     *
     * @param remainingMillis the time until the votes expire; null if they do not expire
     */
    public record Holder(
            String owner,
            String name,
            LockMode mode,
            long token,
            @Nullable Long remainingMillis,
            int votes,
            boolean hasMajority,
            LockStatus.Writer kind) {

        static Holder of(LockStatus.Holder holder) {
            Duration remaining = holder.remaining();
            return new Holder(
                    holder.owner(),
                    holder.name(),
                    holder.mode(),
                    holder.token(),
                    remaining == null ? null : Long.valueOf(remaining.toMillis()),
                    holder.votes(),
                    holder.hasMajority(),
                    holder.kind());
        }
    }

    /** A waiter in the queue, as in {@link LockStatus.Waiter}. */
    public record Waiter(String owner, String name, LockMode mode, long remainingMillis) {

        static Waiter of(LockStatus.Waiter waiter) {
            return new Waiter(
                    waiter.owner(),
                    waiter.name(),
                    waiter.mode(),
                    waiter.remaining().toMillis());
        }
    }

    @ReadOperation
    public Lock lock(@Selector(match = Selector.Match.ALL_REMAINING) String... name) throws InterruptedException {
        LockStatus status = status(String.join("/", name));
        return new Lock(
                status.name(),
                status.answered(),
                status.nodes().size(),
                status.hasQuorum(),
                status.holders().stream().map(Holder::of).toList(),
                status.waiters().stream().map(Waiter::of).toList());
    }

    private LockStatus status(String name) throws InterruptedException {
        try {
            return holdfast.admin().status(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not a lock's name", e);
        }
    }
}
