package dev.holdfast.recipe;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Several locks while all of them are held, each with a token of its own. It is held as long as every one of its leases is; once one is lost,
 * the others stay held until this is released, so that what was begun can be put in order. Thread-safe.
 */
public final class MultiLease implements AutoCloseable {

    private final List<Lease> leases;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    MultiLease(List<Lease> leases) {
        this.leases = List.copyOf(leases);
        this.leases.forEach(lease -> lease.lost().thenAccept(lost::complete));
    }

    /** The leases, in the order of their locks' names. */
    public List<Lease> leases() {
        return leases;
    }

    /**
     * The lease of one lock.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public Lease lease(String name) {
        return leases.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is none of these locks: "
                        + leases.stream().map(Lease::name).toList()));
    }

    /** The {@linkplain Lease#fencingToken token} for what this lock protects. */
    public long fencingToken(String name) {
        return lease(name).fencingToken();
    }

    /** Whether all are valid now. Costs no message. */
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    /**
     * Returns if all are valid now.
     *
     * @throws LeaseLostException if one is not
     */
    public void ensureHeld() {
        leases.forEach(Lease::ensureHeld);
    }

    /** How long all are valid unless extended: the shortest of {@link Lease#remaining}. */
    public Duration remaining() {
        return leases.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Tells of the first loss, once, on a worker thread; never of leases that were released in time. */
    public MultiLease onLost(Consumer<Loss> callback) {
        AtomicBoolean told = new AtomicBoolean();
        leases.forEach(lease -> lease.onLost(loss -> {
            if (told.compareAndSet(false, true)) {
                callback.accept(loss);
            }
        }));
        return this;
    }

    /** Completes with the first loss; never completes if all are released in time. */
    public CompletionStage<Loss> lost() {
        return lost.minimalCompletionStage();
    }

    /**
     * {@link Lease#extend} of all, at the same time.
     *
     * @return the worst outcome of all
     */
    public ExtendOutcome extend(Duration duration) throws InterruptedException {
        return Await.interruptibly(extendAsync(duration));
    }

    /** As {@link #extend}, without blocking. */
    public CompletableFuture<ExtendOutcome> extendAsync(Duration duration) {
        return all(lease -> lease.extendAsync(duration), MultiLease::worse);
    }

    /**
     * Gives all back, at the same time. Harmless more than once.
     *
     * @return {@link ReleaseOutcome#RELEASED} if all were held until now, {@link ReleaseOutcome#EXPIRED} if one was not, else
     *     {@link ReleaseOutcome#UNKNOWN}
     */
    public ReleaseOutcome release() {
        return Await.uninterruptibly(releaseAsync());
    }

    /** As {@link #release}, without blocking. */
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return all(Lease::releaseAsync, MultiLease::worse);
    }

    private <T> CompletableFuture<T> all(Function<Lease, CompletionStage<T>> step, BinaryOperator<T> worse) {
        return leases.stream().map(lease -> step.apply(lease).toCompletableFuture()).toList().stream()
                .reduce((a, b) -> a.thenCombine(b, worse))
                .orElseThrow();
    }

    private static ExtendOutcome worse(ExtendOutcome a, ExtendOutcome b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static ReleaseOutcome worse(ReleaseOutcome a, ReleaseOutcome b) {
        if (a == ReleaseOutcome.EXPIRED || b == ReleaseOutcome.EXPIRED) {
            return ReleaseOutcome.EXPIRED;
        }
        return a == ReleaseOutcome.UNKNOWN ? a : b;
    }

    /** {@link #release}; never throws because a lease had ended before. */
    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "MultiLease" + leases;
    }
}
