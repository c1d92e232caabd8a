package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Scheduler;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A queue for requests that block while they ask the nodes. Each runs on a worker. Their number at a time is limited, and no client can use up the limit alone.
 * Thread-safe.
 */
public final class WorkerQueue {

    private static final int MOST_QUESTIONS = 64;

    /** How many requests of one client run at a time. */
    static final int MOST_OF_CLIENT = MOST_QUESTIONS / 2;

    private final Scheduler scheduler;
    private final AtomicInteger questions = new AtomicInteger();
    private final Quota ofClients = new Quota("client", "queries under way", MOST_OF_CLIENT);

    public WorkerQueue(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Computes the answer on a worker.
     *
     * @throws Problem if too many such requests are under way
     */
    CompletionStage<Answer> answer(Caller caller, Callable<Answer> question) {
        ofClients.add(caller.client());
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            end(caller);
            throw new Problem(Problem.Kind.TOO_MANY, "The nodes are already answering " + MOST_QUESTIONS + " queries.")
                    .header("Retry-After", "1");
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        scheduler.execute(() -> {
            try {
                Answer found = question.call();
                end(caller);
                answer.complete(found);
            } catch (Exception | Error e) { // otherwise the request would never be answered
                end(caller);
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private void end(Caller caller) {
        questions.decrementAndGet();
        ofClients.remove(caller.client());
    }
}
