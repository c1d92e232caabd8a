package dev.holdfast.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.message.Problem;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {

    private final ManualTiming time = new ManualTiming(1);
    private final RateLimit rate = new RateLimit(1, time.timing().ticker());

    @Test
    void e20_aFloodFromManyAddressesTakesNoMoreMemory() {
        for (int i = 0; i < 3 * RateLimit.MOST_CLIENTS; i++) {
            try {
                rate.take("2001:db8::" + i);
            } catch (Problem e) { // those that share what is left
                assertThat(i).isGreaterThan(RateLimit.MOST_CLIENTS);
            }
        }

        assertThat(rate.clients()).isLessThanOrEqualTo(RateLimit.MOST_CLIENTS);
        assertThatThrownBy(() -> rate.take("new")).isInstanceOf(Problem.class);
        rate.take("2001:db8::1"); // a client with a share of its own keeps it

        time.advance(Duration.ofSeconds(5));
        rate.take("new");
        assertThat(rate.clients()).isEqualTo(1);
    }
}
