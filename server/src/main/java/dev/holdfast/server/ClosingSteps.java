package dev.holdfast.server;

import dev.holdfast.time.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The steps that close a server, the last added first. An interrupt of the closing thread, such as by a second signal, skips none of them, and neither does a step that fails. */
final class ClosingSteps {

    private final Scheduler scheduler;
    private final Deque<Runnable> steps = new ArrayDeque<>();

    ClosingSteps(Scheduler scheduler) {
        this.scheduler = scheduler;
        steps.push(scheduler::close);
    }

    void push(Runnable step) {
        steps.push(step);
    }

    /** Runs all steps on a thread of their own, waits for them, and throws the first exception of a step if there was one. */
    void run() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        scheduler.start("close", () -> {
            Throwable first = null;
            for (Runnable step : steps) {
                try {
                    step.run();
                } catch (RuntimeException | Error e) { // the caller waits, even for an error
                    if (first == null) {
                        first = e;
                    } else {
                        first.addSuppressed(e);
                    }
                }
            }
            if (first == null) {
                over.complete(null);
            } else {
                over.completeExceptionally(first);
            }
        });
        try {
            over.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
