package dev.holdfast.benchmarks.side;

import io.lettuce.core.RedisFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A wait for a majority of nodes to agree. A node that can't be asked, or disagrees, counts as no. */
final class MajorityWait<T> {

    private final CompletableFuture<Boolean> agreed = new CompletableFuture<>();
    private final AtomicInteger yes;
    private final AtomicInteger no;
    private final Predicate<T> agrees;

    private MajorityWait(int nodes, Predicate<T> agrees) {
        this.agrees = agrees;
        yes = new AtomicInteger(nodes / 2 + 1);
        no = new AtomicInteger(nodes - nodes / 2);
    }

    /** Waits until the result is certain, and returns whether a majority agreed. */
    static <T> boolean of(List<RedisFuture<T>> answers, Predicate<T> agrees) throws InterruptedException {
        if (answers.size() == 1) {
            return agrees.test(get(answers.get(0)));
        }
        MajorityWait<T> wait = new MajorityWait<>(answers.size(), agrees);
        answers.forEach(answer -> answer.whenComplete(wait::count));
        return get(wait.agreed);
    }

    private void count(T answer, Throwable thrown) {
        if (thrown == null && agrees.test(answer)) {
            if (yes.decrementAndGet() == 0) {
                agreed.complete(true);
            }
        } else if (no.decrementAndGet() == 0) {
            agreed.complete(false);
        }
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
