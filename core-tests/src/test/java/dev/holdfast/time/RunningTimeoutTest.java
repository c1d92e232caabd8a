package dev.holdfast.time;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTiming;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A timeout while the event loop gets no processor, although the timers are on time: threads that slept are favoured over busy ones. */
class RunningTimeoutTest {

    private static final long TIMEOUT_NANOS = 1_000_000_000;

    private final ManualTiming time = new ManualTiming(1);
    private final Deque<Runnable> unread = new ArrayDeque<>();
    private final List<String> ends = new ArrayList<>();

    private void start() {
        RunningTimeout.start(time.timing(), TIMEOUT_NANOS, unread::add, () -> ends.add("end"));
    }

    private void read() {
        while (!unread.isEmpty()) {
            unread.remove().run();
        }
    }

    @Test
    void c14_doesNotEndWhileTheEventLoopReadsNothingForHalfAMinute() {
        start();
        time.advance(seconds(30));
        assertThat(ends).isEmpty();
        read();
        assertThat(ends).isEmpty();
    }

    @Test
    void c14_countsOnOnceTheEventLoopReads() {
        start();
        time.advance(seconds(30));
        read();
        for (int part = 0; part < 7; part++) {
            time.advance(millis(125));
            read();
        }
        assertThat(ends).isEmpty();
        time.advance(millis(125));
        read();
        assertThat(ends).hasSize(1);
    }

    @Test
    void aBriefOneEndsAfterFiveTimesItsLengthThoughTheEventLoopReadsNothing() {
        RunningTimeout.startBrief(time.timing(), TIMEOUT_NANOS, unread::add, () -> ends.add("end"));
        time.advance(seconds(4));
        assertThat(ends).isEmpty();
        time.advance(seconds(1));
        assertThat(ends).hasSize(1);
    }

    @Test
    void endsWhenTheEventLoopNeverReads() {
        start();
        time.advance(seconds(120));
        assertThat(ends).hasSize(1);
        read();
        time.advance(seconds(120));
        assertThat(ends).hasSize(1);
    }
}
