package dev.holdfast.internal.thread;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Steps of a serial executor under every interleaving of the threads that submit them. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class SerialExecutorRacesTest {

    /** With two senders, no steps overlap, none is lost, and each sender's steps keep their order, including a step that another step submits. */
    private static void stepsNeverMeet(int interleavings, Supplier<Consumer<Runnable>> executors) {
        Interleavings.check(interleavings, () -> {
            Consumer<Runnable> executor = executors.get();
            List<String> done = new ArrayList<>(); // not thread-safe: concurrent steps would corrupt it
            together(
                    () -> executor.accept(() -> {
                        done.add("a1");
                        executor.accept(() -> done.add("a2"));
                    }),
                    () -> {
                        executor.accept(() -> done.add("b1"));
                        executor.accept(() -> done.add("b2"));
                    });
            require(done.size() == 4, "not every step was done: " + done);
            require(done.indexOf("a1") < done.indexOf("a2"), "a's steps out of order: " + done);
            require(done.indexOf("b1") < done.indexOf("b2"), "b's steps out of order: " + done);
        });
    }

    @Test
    void stepsNeverMeetAndNoneIsLost() {
        stepsNeverMeet(1_000, () -> new SerialExecutor()::execute);
    }

    @Test
    void aSerialExecutorThatCountsInTwoStepsIsFound() {
        assertThatThrownBy(() -> stepsNeverMeet(1_000, () -> new CountsInTwoSteps()::run))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** {@link SerialExecutor} without its atomic step. */
    private static final class CountsInTwoSteps {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private volatile int size;

        void run(Runnable task) {
            tasks.add(task);
            int before = size;
            size = before + 1;
            if (before == 0) {
                do {
                    tasks.remove().run();
                    size = size - 1;
                } while (size != 0);
            }
        }
    }
}
