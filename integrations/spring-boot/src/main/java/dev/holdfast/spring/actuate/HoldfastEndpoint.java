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
 * The locks of this application at {@code /actuator/holdfast}: what it holds, what it waits for, what it has lost, each {@value #MOST} at most and those first that
 * matter most; and at {@code /actuator/holdfast/NAME} what every node says of one lock, whoever has it.
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
     * This application's locks.
     *
     * @param client the id under which nodes and others see this application
     * @param heldCount of all, more than are shown perhaps
     * @param waitingCount of all
     * @param lostCount since the start
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
     * What the nodes say of a lock.
     *
     * @param answered how many nodes have answered
     * @param nodes how many there are
     * @param certain whether a majority has answered: otherwise nothing said here is
     * @param holders who has votes of nodes; the lock itself if it is a majority
     * @param waiters who stands in line
     */
    public record Lock(
            String lock, int answered, int nodes, boolean certain, List<Holder> holders, List<Waiter> waiters) {}

    /**
     * Who has votes of nodes, as {@link LockStatus.Holder} says.
     *
     * @param remainingMillis null if it has no expiry
     */
    public record Holder(
            String owner,
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
                    holder.mode(),
                    holder.token(),
                    remaining == null ? null : Long.valueOf(remaining.toMillis()),
                    holder.votes(),
                    holder.hasMajority(),
                    holder.kind());
        }
    }

    /** Who stands in line, as {@link LockStatus.Waiter} says. */
    public record Waiter(String owner, LockMode mode, long remainingMillis) {

        static Waiter of(LockStatus.Waiter waiter) {
            return new Waiter(waiter.owner(), waiter.mode(), waiter.remaining().toMillis());
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
            return holdfast.status(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not a lock's name", e);
        }
    }
}
