package dev.holdfast.server.http;

import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Scheduler;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue for requests that block while they ask the nodes. Each runs on a worker, and their number at a time is limited. Thread-safe. */
public final class WorkerQueue {

    private static final int MOST_QUESTIONS = 64;

    private final Scheduler scheduler;
    private final AtomicInteger questions = new AtomicInteger();

    public WorkerQueue(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Computes the answer on a worker.
     *
     * @throws Problem if too many such requests are under way
     */
    CompletionStage<Answer> answer(Callable<Answer> question) {
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            questions.decrementAndGet();
            throw new Problem(Problem.Kind.TOO_MANY, "The nodes are already answering " + MOST_QUESTIONS + " queries.")
                    .header("Retry-After", "1");
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        scheduler.execute(() -> {
            try {
                Answer found = question.call();
                questions.decrementAndGet();
                answer.complete(found);
            } catch (Exception | Error e) { // otherwise the request would never be answered
                questions.decrementAndGet();
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }
}
