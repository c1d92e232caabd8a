package dev.holdfast.benchmarks.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Orders and answers, on their way between processes. */
class OrderTest {

    @Test
    void anOrderIsTheSameAfterTheWay() {
        Order order = Order.to(Task.HOT_LOCK).with("threads", 8).with("seconds", 0.5);

        assertThat(Order.of(order.line())).isEqualTo(order);
        assertThat(order.count("threads")).isEqualTo(8);
        assertThat(order.nanos("seconds")).isEqualTo(500_000_000);
    }

    @Test
    void anAnswerIsTheSameAfterTheWay() {
        Answer answer = Answer.of("pairs", 1 / 3.0).with("turns.0", 7L).whileCompiling(0.25);

        assertThat(Answer.of(answer.line())).isEqualTo(answer);
        assertThat(Answer.of(Answer.NOTHING.line())).isEqualTo(Answer.NOTHING);
    }

    @Test
    void aFailureIsThrownWhereTheAnswerIsRead() {
        String line = Answer.failure(new IllegalArgumentException("two\nlines"));

        assertThat(line).doesNotContain("\n");
        assertThatIllegalStateException().isThrownBy(() -> Answer.of(line)).withMessageContaining("two lines");
    }
}
