package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The operations that a user calls on a lease. This class checks the arguments, and offers each operation twice: blocking, and as a stage that completes on a
 * worker thread. A subclass carries out the operations, each on the lease's serial executor.
 */
abstract class LeaseOperations implements Lease {

    abstract CompletableFuture<ExtendOutcome> startExtend(long ttlMillis);

    abstract CompletableFuture<ExtendOutcome> startWrite(String text);

    abstract CompletableFuture<ReleaseOutcome> startRelease();

    abstract CompletableFuture<ReleaseOutcome> startRetention(long heldNanos);

    abstract CompletableFuture<SealOutcome> startSeal(long sealMillis);

    /** Registers callbacks, on the serial executor. */
    abstract Lease register(Consumer<LeaseCallbacks> registration);

    /** Wraps a callback so that it runs only as long as the user has neither ended nor lost the lease. */
    abstract <T> Consumer<T> whileHeld(Consumer<T> callback);

    abstract Scheduler scheduler();

    // ---- callbacks

    @Override
    public final Lease onAtRisk(Consumer<AtRisk> callback) {
        return register(all -> all.atRisk.listen(whileHeld(callback)));
    }

    @Override
    public final Lease onLost(Consumer<Loss> callback) {
        return register(all -> all.onLost(callback));
    }

    @Override
    public final Lease onContended(Runnable callback) {
        return register(all -> all.contended.listen(waiter -> callback.run()));
    }

    @Override
    public final Lease onExtended(Consumer<Duration> callback) {
        return register(all -> all.onExtended(whileHeld(callback)));
    }

    // ---- extension and value

    private CompletableFuture<ExtendOutcome> checkedExtend(Duration duration) {
        return startExtend(LeaseLimits.requireTtl("duration", duration));
    }

    @Override
    public final ExtendOutcome extend(Duration duration) throws InterruptedException {
        return Await.interruptibly(checkedExtend(duration));
    }

    @Override
    public final CompletableFuture<ExtendOutcome> extendAsync(Duration duration) {
        return Await.onWorker(checkedExtend(duration), scheduler());
    }

    private CompletableFuture<WriteOutcome> checkedWrite(String text) {
        LockValue.requireText(text);
        if (!mode().mayWrite()) {
            throw new IllegalStateException(
                    "lease of '" + name() + "' is held in mode " + mode() + ", but a value is written in EX or PW");
        }
        return startWrite(text).thenApply(extended -> switch (extended) {
            case EXTENDED -> WriteOutcome.WRITTEN;
            case UNCONFIRMED -> WriteOutcome.UNCONFIRMED;
            case LOST -> WriteOutcome.LOST;
        });
    }

    @Override
    public final WriteOutcome writeValue(String text) throws InterruptedException {
        return Await.interruptibly(checkedWrite(text));
    }

    @Override
    public final CompletableFuture<WriteOutcome> writeValueAsync(String text) {
        return Await.onWorker(checkedWrite(text), scheduler());
    }

    // ---- the end

    @Override
    public final ReleaseOutcome release() {
        return Await.uninterruptibly(startRelease());
    }

    @Override
    public final CompletableFuture<ReleaseOutcome> releaseAsync() {
        return Await.onWorker(startRelease(), scheduler());
    }

    @Override
    public final CompletableFuture<ReleaseOutcome> releaseAfter(Duration held) {
        long nanos = Duration.ofMillis(LeaseLimits.requireHeld("held", held)).toNanos();
        return Await.onWorker(startRetention(nanos), scheduler());
    }

    @Override
    public final SealOutcome seal(Duration retention) {
        return Await.uninterruptibly(startSeal(LeaseLimits.requireRetention(retention)));
    }

    @Override
    public final CompletableFuture<SealOutcome> sealAsync(Duration retention) {
        return Await.onWorker(startSeal(LeaseLimits.requireRetention(retention)), scheduler());
    }

    @Override
    public final void close() {
        release();
    }
}
