package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.testkit.ManualTiming;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines about a wait, where standard error is not a terminal. */
class WaitingDisplayTest {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ManualTiming time = new ManualTiming(1);
    private WaitingDisplay display;

    @BeforeEach
    void start() {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        display = WaitingDisplay.of("nightly", time.timing());
    }

    @AfterEach
    void end() {
        display.close();
        System.setErr(before);
    }

    private String after(int seconds) {
        printed.reset();
        time.advance(Duration.ofSeconds(seconds));
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static Waiting heldByAnother() {
        NodeReport report = new NodeReport("n", NodeReport.Kind.HELD, "", Duration.ofSeconds(30), 1);
        return new Waiting("nightly", 1, "other@host:1", Duration.ZERO, List.of(report), "own");
    }

    @Test
    void theHolderIsNamedAfterOneSecondAndThenEachMinute() {
        display.update(heldByAnother());

        assertThat(after(1))
                .isEqualTo("holdfast: waiting 1 s for 'nightly': queue position 1, held by other@host:1 for 29 s more"
                        + " unless extended\n");
        assertThat(after(59)).isEmpty();
        assertThat(after(1)).startsWith("holdfast: waiting 61 s for 'nightly'");
    }

    @Test
    void aNarrowLineKeepsTheHolderAndItsTime() {
        display.update(heldByAnother());
        after(1);

        String held = "queue position 1, held by other@host:1 for 29 s more";
        assertThat(display.text(100)).isEqualTo("waiting 1 s for 'nightly': " + held + " unless extended");
        assertThat(display.text(94)).isEqualTo("waiting 1 s for 'nightly': " + held);
        assertThat(display.text(69)).isEqualTo("waiting 1 s: " + held);
        assertThat(display.text(40)).isEqualTo("waiting 1 s: " + held);
    }

    @Test
    void aCandidateStandsByAndItsDisplayAsksBeforeEachLine() {
        display.close();
        AtomicInteger asked = new AtomicInteger();
        display = WaitingDisplay.ofElection("worker", time.timing(), asked::incrementAndGet);

        assertThat(after(2)).isEmpty();
        assertThat(asked).as("until there is an answer").hasValue(2);
        display.update(heldByAnother());
        assertThat(after(1))
                .isEqualTo("holdfast: standing by 3 s in election 'worker': queue position 1, led by other@host:1 for"
                        + " 29 s more unless extended\n");
        assertThat(after(56)).isEmpty();
        assertThat(asked).hasValue(2);
        assertThat(after(1)).isEmpty();
        assertThat(asked).as("a second before the next line").hasValue(3);
        assertThat(after(1)).startsWith("holdfast: standing by 61 s in election 'worker'");
    }

    @Test
    void theFirstLineWaitsForTheFirstAnswer() {
        assertThat(after(2)).isEmpty();

        display.update(heldByAnother());

        assertThat(after(1)).contains("waiting 3 s for 'nightly'", "held by other@host:1");
        assertThat(after(57)).isEmpty();
    }

    @Test
    void theFirstLineComesAfterFourSecondsWithoutAnAnswer() {
        assertThat(after(3)).isEmpty();
        assertThat(after(1)).isEqualTo("holdfast: waiting 4 s for 'nightly'\n");
    }

    private static Waiting unanswered(NodeReport... nodes) {
        return new Waiting("nightly", 0, "", Duration.ZERO, List.of(nodes), "own");
    }

    @Test
    void withoutAMajorityTheFirstNodeThatDoesNotAnswerGivesItsReason() {
        NodeReport answering = new NodeReport("redis://a", NodeReport.Kind.HELD, "by other", null, 0);
        NodeReport slow = new NodeReport("redis://b", NodeReport.Kind.TIMEOUT, "", null, 0);
        NodeReport locked =
                new NodeReport("redis://c", NodeReport.Kind.ERROR, "not trusted (trustedCertificates)", null, 0);
        NodeReport other = new NodeReport("redis://d", NodeReport.Kind.ERROR, "connection refused", null, 0);
        display.update(unanswered(answering, slow, locked, other));

        assertThat(after(1))
                .isEqualTo("holdfast: waiting 1 s for 'nightly': only 1 of 4 nodes answer"
                        + " [redis://c: not trusted (--tls-ca)]\n");

        NodeReport quarantined = new NodeReport("redis://a", NodeReport.Kind.QUARANTINED, "", Duration.ofSeconds(9), 0);
        display.update(unanswered(quarantined, other));
        assertThat(display.text(Integer.MAX_VALUE))
                .startsWith("waiting 1 s for 'nightly': 1 of 2 nodes answer, 1 is quarantined"
                        + " [redis://d: connection refused]");

        display.update(unanswered(answering, answering, other));
        assertThat(display.text(Integer.MAX_VALUE)).as("with a majority").isEqualTo("waiting 1 s for 'nightly'");
    }

    @Test
    void aNarrowLineOmitsTheReason() {
        display.update(unanswered(new NodeReport("redis://c", NodeReport.Kind.ERROR, "connection refused", null, 0)));
        after(1);

        String named = "waiting 1 s for 'nightly': only 0 of 1 nodes answer";
        String reason = " [redis://c: connection refused]";
        String explained = named + reason;
        String unnamed = "waiting 1 s: only 0 of 1 nodes answer" + reason;
        assertThat(display.text(explained.length())).isEqualTo(explained);
        assertThat(display.text(explained.length() - 1)).isEqualTo(unnamed);
        assertThat(display.text(unnamed.length() - 1)).isEqualTo(named);
        assertThat(display.text(named.length() - 1)).isEqualTo("waiting 1 s: only 0 of 1 nodes answer");
    }
}
