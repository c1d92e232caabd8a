package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.time.Timing;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The steps that close a server. */
class ClosingStepsTest {

    private final ClosingSteps closing = new ClosingSteps(Timing.system("test").scheduler());
    private final List<String> run = new CopyOnWriteArrayList<>();

    @Test
    void runInTheReverseOrderAlsoOnAnInterruptedThread() {
        closing.push(() -> run.add("first " + Thread.currentThread().isInterrupted()));
        closing.push(() -> run.add("second " + Thread.currentThread().isInterrupted()));

        Thread.currentThread().interrupt();
        closing.run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(run).containsExactly("second false", "first false");
    }

    @Test
    void aFailedStepSkipsNone() {
        closing.push(() -> run.add("first"));
        closing.push(() -> {
            throw new NoClassDefFoundError("later");
        });
        closing.push(() -> {
            throw new IllegalStateException("sooner");
        });

        assertThatThrownBy(closing::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sooner")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(run).containsExactly("first");
    }
}
