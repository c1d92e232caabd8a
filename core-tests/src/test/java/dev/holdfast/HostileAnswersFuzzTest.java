package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.Fuzz;
import dev.holdfast.testkit.FuzzedInput;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node of three gives any possible answer: no client waits forever, and nothing is left at the other nodes. */
class HostileAnswersFuzzTest {

    private final Logger logger = Logger.getLogger("dev.holdfast");
    private final Level level = logger.getLevel();

    @BeforeEach
    void keepQuiet() {
        logger.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        logger.setLevel(level);
    }

    private static long millis(FuzzedInput input) {
        return Math.min(Math.max(input.number(), -1), 1L << 42);
    }

    private static OptionalLong remainingMillis(FuzzedInput input) {
        long millis = millis(input);
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    private static long fence(FuzzedInput input) {
        return Math.min(Math.max(input.number(), 0), Ticket.LARGEST_TIME);
    }

    private static AcquireAnswer answer(FuzzedInput input, AcquireRequest request) {
        Blocker blocker = input.chance(50)
                ? new Blocker(input.pick(Blocker.Kind.values()), input.text("a@b~00000000/1/0"), remainingMillis(input))
                : null;
        Ticket contender = input.chance(50) ? new Ticket(fence(input), "b@c~11111111") : null;
        return switch (input.below(7)) {
            case 0 -> new AcquireAnswer.Granted(fence(input), contender, input.number());
            case 1 -> new AcquireAnswer.Granted(Math.max(request.floor(), 1), contender, input.number());
            case 2 ->
                new AcquireAnswer.Queued(millis(input), fence(input), input.below(1 << 30), blocker, input.number(), 0);
            case 3 ->
                new AcquireAnswer.Denied(
                        millis(input), input.pick(AcquireAnswer.Denied.Reason.values()), blocker, input.number());
            case 4 -> new AcquireAnswer.Quarantined(Math.max(millis(input), 0));
            case 5 -> new Unavailable(input.text("no"), input.chance(50));
            default -> null; // the node gives its usual answer
        };
    }

    @Test
    void nobodyWaitsForEverAndNothingIsLeft() {
        Fuzz.check("HostileAnswersFuzzTest#nobody*", 1_500, input -> {
            FakeCluster cluster = new FakeCluster(3);
            FakeClient client = cluster.client("a");
            client.node(1).answerAcquires(request -> answer(input, request));
            Duration wait = Duration.ofMillis(input.pick(0, 500, 5_000));
            Acquisition acquisition = client.tryAcquire(client.lock("x"), wait);
            int asked = client.node(1).acquires().size();
            assertThat(asked).as("how often the node was asked in %s", wait).isLessThan(1_500);
            cluster.advance(Duration.ofSeconds(input.below(40)));
            if (acquisition.isHeld()) {
                acquisition.lease().releaseAsync();
            }
            cluster.advance(Duration.ofSeconds(2));
            assertThat(cluster.traces("x")).isZero();
        });
    }
}
