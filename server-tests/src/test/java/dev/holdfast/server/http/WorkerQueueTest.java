package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Clients that send many queries at a time. */
class WorkerQueueTest {

    private static final Answer DONE = new Answer(200, "text/plain", "", Map.of());
    private static final Caller ONE = new Caller("one", List.of(""), Set.of());
    private static final Caller TWO = new Caller("two", List.of(""), Set.of());

    /** A reader with many connections made breaks of an operator fail. */
    @Test
    void aClientLeavesRoomForOthers() {
        CountDownLatch slow = new CountDownLatch(1);
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        try (Scheduler scheduler = Timing.system("test").scheduler()) {
            WorkerQueue workers = new WorkerQueue(scheduler);
            for (int i = 0; i < WorkerQueue.MOST_OF_CLIENT; i++) {
                asked.add(workers.answer(ONE, () -> {
                            slow.await();
                            return DONE;
                        })
                        .toCompletableFuture());
            }

            assertThatThrownBy(() -> workers.answer(ONE, () -> DONE))
                    .isInstanceOf(Problem.class)
                    .hasMessageContaining("'one' has 32 queries under way");
            assertThat(workers.answer(TWO, () -> DONE).toCompletableFuture().join())
                    .isEqualTo(DONE);
            slow.countDown();
            asked.forEach(CompletableFuture::join);
            assertThat(workers.answer(ONE, () -> DONE).toCompletableFuture().join())
                    .isEqualTo(DONE);
        }
    }
}
