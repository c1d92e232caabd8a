package dev.holdfast.testkit;

import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A wait for conditions, with a deadline by this machine's clock. Meanwhile it lets the node's time pass. */
final class ConditionWaiter {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(1);

    private final Timing timing;
    private final Consumer<Duration> elapse;

    ConditionWaiter(Timing timing, Consumer<Duration> elapse) {
        this.timing = timing;
        this.elapse = elapse;
    }

    void until(String what, BooleanSupplier condition) {
        long end = timing.ticker().nanos() + DEADLINE.toNanos();
        elapse.accept(Duration.ZERO);
        while (!condition.getAsBoolean()) {
            if (timing.ticker().nanos() - end > 0) {
                throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
            }
            elapse.accept(STEP);
        }
    }

    <T> T answer(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!future.isDone()) {
            until("the node's answer", future::isDone);
        }
        return future.join();
    }

    /** Sends the request until the node executes it: the servers of a node may have no leader at the moment. */
    <T> T executed(Supplier<CompletionStage<T>> request) {
        AtomicReference<T> last = new AtomicReference<>();
        until("an executed request", () -> {
            last.set(answer(request.get()));
            return !(last.get() instanceof Unavailable unavailable) || unavailable.maybeExecuted();
        });
        return last.get();
    }
}
