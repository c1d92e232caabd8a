package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases that move between servers in front of the same nodes (docs/decisions/0069): it adopts leases of other servers, and finds out whether another server
 * has continued a lease of this one. Thread-safe.
 */
final class Adoptions {

    private final Holdfast holdfast;
    private final Timing timing;
    private final LeaseRegistry registry;
    private final Map<String, CompletableFuture<ServedLease>> running = new ConcurrentHashMap<>();
    private volatile Supplier<CompletionStage<Void>> breaks = () -> CompletableFuture.completedStage(null);

    Adoptions(Holdfast holdfast, Timing timing, LeaseRegistry registry) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.registry = registry;
    }

    /** Sets the reading of the latest breaks, which passes them on to the registry. */
    void readBreaksBy(Supplier<CompletionStage<Void>> reading) {
        breaks = reading;
    }

    /** The votes that the nodes have for a lease. */
    enum Left {
        /** A majority has votes that last longer than those that this server asked for, so another server has extended them. */
        MORE,
        /** A majority has votes, which may be this server's own. */
        LITTLE,
        /** A majority has no vote. */
        NOTHING,
        /** Less than a majority has answered. */
        UNKNOWN,
    }

    /**
     * Adopts a lease. The future completes with a {@link Problem} if that is not possible.
     *
     * @param known what this server knows of the lease; null if nothing. It is the outcome if the nodes no longer have the lease.
     */
    CompletableFuture<ServedLease> adopt(Caller caller, String id, LeaseId content, @Nullable ServedLease known) {
        CompletableFuture<ServedLease> fresh = new CompletableFuture<>();
        CompletableFuture<ServedLease> first = running.putIfAbsent(id, fresh);
        if (first != null) {
            return first.copy();
        }
        DistributedLock lock = holdfast.lock(content.request().lock())
                .mode(content.request().mode())
                .ttl(content.request().ttl())
                .autoExtend(false)
                .localHandOver(false);
        lock.adoptAsync(content.adoption()).whenComplete((lease, failure) -> {
            try {
                fresh.complete(
                        failure == null ? adopted(lease, caller, content, id) : notAdopted(content, known, failure));
            } catch (RuntimeException | Error e) { // the client waits for an outcome, even for an error
                fresh.completeExceptionally(e);
            } finally {
                running.remove(id, fresh);
            }
        });
        return fresh.copy();
    }

    /** Adds the lease in place of what this server knew of it before. */
    private ServedLease adopted(Lease lease, Caller caller, LeaseId content, String id) {
        ServedLease before = registry.find(id);
        boolean isNew = before == null || before.hasEnded();
        ServedLease made =
                new ServedLease(id, caller.client(), lease, content.request().ttl(), true, timing.ticker());
        made.grantedElsewhere(content.grantedAtMillis());
        registry.count(caller.client()); // a limit must not cost a client a lease that it holds
        if (before != null) {
            registry.forget(before, null);
        }
        registry.add(made, content.request());
        lease.onLost(loss -> lapsed(made, loss));
        if (isNew) {
            registry.report(
                    Event.Type.ADOPTED,
                    made,
                    "remainingMillis",
                    lease.remaining().toMillis());
        }
        return made;
    }

    private ServedLease notAdopted(LeaseId content, @Nullable ServedLease known, Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof LeaseLostException) {
            if (known != null) {
                return known;
            }
            BreakNotice broken = registry.breakOf(content.request().lock(), content.token());
            throw ServedLease.ended(content.request().lock(), content.token(), null, broken);
        }
        if (cause instanceof NoQuorumException) {
            throw new Problem(
                            Problem.Kind.UNCONFIRMED,
                            "The lease of '" + Printable.of(content.request().lock()) + "' with token "
                                    + content.token() + " may be valid, but no majority of nodes confirms it; retry.")
                    .with("lock", content.request().lock());
        }
        throw new CompletionException(cause);
    }

    // ---- leases of this server

    /** Handles the local end of a lease that another server may have extended or released, or that an operator may have broken. */
    void lapsed(ServedLease lease, Loss loss) {
        breaks.get().handle((read, failure) -> lease).thenCompose(this::left).thenAccept(left -> {
            boolean released = loss.reason() == Loss.Reason.RELEASED
                    || (left == Left.NOTHING
                            && loss.reason() == Loss.Reason.EXPIRED
                            && lease.hasVotesAt(timing.ticker().nanos()));
            if (left == Left.MORE || !lease.isExtendedHere() || released) {
                registry.forget(lease, Event.Type.MOVED);
            } else {
                registry.lost(lease, loss);
            }
        });
    }

    /** Completes with what the nodes have of the lease. */
    CompletionStage<Left> left(ServedLease lease) {
        if (!lease.isAdoptable()) {
            return CompletableFuture.completedStage(Left.UNKNOWN);
        }
        long askedNanos = timing.ticker().nanos();
        return holdfast.admin().statusAsync(lease.lock).handle((status, failure) -> {
            if (failure != null || !status.hasQuorum()) {
                return Left.UNKNOWN;
            }
            lease.sees(status.value().orElse(null));
            return status.holders().stream()
                    .filter(holder -> holder.hasMajority() && holder.owner().equals(lease.owner))
                    .findFirst()
                    .map(holder -> left(lease, holder, askedNanos))
                    .orElse(Left.NOTHING);
        });
    }

    private static Left left(ServedLease lease, LockStatus.Holder holder, long askedNanos) {
        Duration remaining = holder.remaining();
        return remaining == null || lease.isExtendedElsewhere(askedNanos + remaining.toNanos())
                ? Left.MORE
                : Left.LITTLE;
    }
}
