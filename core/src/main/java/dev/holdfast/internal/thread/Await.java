package dev.holdfast.internal.thread;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Blocks on futures that nodes and timers complete, and moves their outcomes to worker threads for users' code. */
public final class Await {

    private Await() {}

    /** Blocks until the future is complete. The future fails only because of a bug. Throws at once if the thread is already interrupted. */
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

    /** Blocks as {@link #interruptibly} does, and throws the exception that the future failed with. */
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
     * Blocks as {@link #interruptibly} does, and throws the exception with which the future failed. An interrupt cancels the future. If the future has already
     * completed, this method closes its value, so that nothing is left behind.
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

    /**
     * Returns a future of the mapped value. If that future fails, for example by cancellation, it cancels its source, and closes a value that arrives at the
     * same moment.
     */
    public static <T, R> CompletableFuture<R> mapped(
            CompletableFuture<T> source, Function<T, R> map, Consumer<T> close) {
        CompletableFuture<R> mapped = new CompletableFuture<>();
        source.whenComplete((value, failure) -> {
            if (failure != null) {
                mapped.completeExceptionally(failure);
                return;
            }
            boolean taken;
            try {
                taken = mapped.complete(map.apply(value));
            } catch (RuntimeException e) {
                taken = mapped.completeExceptionally(e);
            }
            if (!taken) {
                close.accept(value);
            }
        });
        mapped.whenComplete((value, failure) -> {
            if (failure != null) {
                source.cancel(true);
            }
        });
        return mapped;
    }

    /** A call that blocks until it is interrupted. */
    @FunctionalInterface
    interface Blocking<T> {
        T call() throws InterruptedException;
    }

    /** Blocks until the future is complete. An interrupt does not end the wait, and stays visible afterwards. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        return uninterruptibly(() -> interruptibly(future));
    }

    /** Repeats a call that is interrupted. The thread's interrupt status is set afterwards. */
    static <T> T uninterruptibly(Blocking<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.call();
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

    /** Releases a lease for which no caller waits any more, without blocking. */
    public static void release(Acquisition unwanted) {
        if (unwanted instanceof Acquisition.Held held) {
            held.lease().releaseAsync();
        }
    }

    /** Completes the future on a worker thread, or on this thread if there is no worker, so that its caller does not wait for ever. */
    public static <T> void completeOnWorker(CompletableFuture<T> future, T value, Scheduler scheduler) {
        try {
            scheduler.execute(() -> future.complete(value));
        } catch (RuntimeException | Error e) {
            future.complete(value);
            throw e;
        }
    }

    /** Returns a future that completes on a worker thread, so that users' code never runs on a node's or a timer's thread. */
    public static <T> CompletableFuture<T> onWorker(CompletableFuture<T> future, Scheduler scheduler) {
        return future.thenApplyAsync(value -> value, scheduler::execute);
    }
}
