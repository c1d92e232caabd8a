package dev.holdfast.internal.thread;

import dev.holdfast.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** From futures that nodes and timers complete to callers that block, and to users' own code. */
public final class Await {

    private Await() {}

    /** Blocks until the future is there, which fails only by a bug; throws for a thread that is interrupted already, too. */
    public static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** As {@link #interruptibly}, of a future that fails with what the caller is to see. */
    private static <T> T interruptiblyOrItsException(CompletableFuture<T> future) throws InterruptedException {
        try {
            interruptibly(future.handle((value, failure) -> Boolean.TRUE));
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * As {@link #interruptibly}, of a future that fails with what the caller is to see; an interrupt cancels the future, and closes what it gave at the same moment or before, so that
     * nothing is left behind.
     */
    public static <T> T orCancel(CompletableFuture<T> future, Consumer<T> close) throws InterruptedException {
        try {
            return interruptiblyOrItsException(future);
        } catch (InterruptedException e) {
            if (!future.cancel(true) && !future.isCompletedExceptionally()) {
                close.accept(future.join());
            }
            throw e;
        }
    }

    /** As {@link #interruptibly}; an interrupt is put off until then, and stays visible. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return interruptibly(future);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Completes the future on a worker thread, or on this one where no worker can be had: its caller must not wait for ever. */
    public static <T> void completeOnWorker(CompletableFuture<T> future, T value, Scheduler scheduler) {
        try {
            scheduler.execute(() -> future.complete(value));
        } catch (RuntimeException | Error e) {
            future.complete(value);
            throw e;
        }
    }

    /** The same, completed on a worker thread, so that users' code never runs on a node's or a timer's. */
    public static <T> CompletableFuture<T> onWorker(CompletableFuture<T> future, Scheduler scheduler) {
        return future.thenApplyAsync(value -> value, scheduler::execute);
    }
}
