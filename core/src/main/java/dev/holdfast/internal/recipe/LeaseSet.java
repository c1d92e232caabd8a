package dev.holdfast.internal.recipe;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.recipe.MultiLease;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;

/** The leases of a {@link LockSet}, presented as one. */
final class LeaseSet implements MultiLease {

    private final List<Lease> leases;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    LeaseSet(List<Lease> leases) {
        this.leases = List.copyOf(leases);
        this.leases.forEach(lease -> lease.lost().thenAccept(lost::complete));
    }

    @Override
    public List<Lease> leases() {
        return leases;
    }

    @Override
    public Lease lease(String name) {
        return leases.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not one of these locks: "
                        + leases.stream().map(Lease::name).toList()));
    }

    @Override
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    @Override
    public void ensureHeld() {
        leases.forEach(Lease::ensureHeld);
    }

    @Override
    public Duration remaining() {
        return leases.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public MultiLease onLost(Consumer<Loss> callback) {
        AtomicBoolean told = new AtomicBoolean();
        leases.forEach(lease -> lease.onLost(loss -> {
            if (told.compareAndSet(false, true)) {
                callback.accept(loss);
            }
        }));
        return this;
    }

    @Override
    public CompletableFuture<Loss> lost() {
        return lost.copy();
    }

    @Override
    public ExtendOutcome extend(Duration duration) throws InterruptedException {
        return Await.interruptibly(extendAsync(duration));
    }

    @Override
    public CompletableFuture<ExtendOutcome> extendAsync(Duration duration) {
        return all(lease -> lease.extendAsync(duration), LeaseSet::worse);
    }

    @Override
    public ReleaseOutcome release() {
        return Await.uninterruptibly(releaseAsync());
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return all(Lease::releaseAsync, LeaseSet::worse);
    }

    private <T> CompletableFuture<T> all(Function<Lease, CompletableFuture<T>> step, BinaryOperator<T> worse) {
        return leases.stream().map(lease -> step.apply(lease)).toList().stream()
                .reduce((a, b) -> a.thenCombine(b, worse))
                .orElseThrow();
    }

    private static ExtendOutcome worse(ExtendOutcome a, ExtendOutcome b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static ReleaseOutcome worse(ReleaseOutcome a, ReleaseOutcome b) {
        return a == ReleaseOutcome.EXPIRED || b == ReleaseOutcome.RELEASED ? a : b;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "MultiLease" + leases;
    }
}
