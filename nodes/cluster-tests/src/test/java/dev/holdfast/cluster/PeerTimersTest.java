package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The threads of an idle server sleep. */
class PeerTimersTest {

    private static final String PERIODIC = "com.alipay.sofa.jraft.util.timer.HashedWheelTimer$Worker";
    private static final String ELECTION_TIMER = "JRaft-ElectionTimer";

    @TempDir
    Path folder;

    @Test
    void noThreadOfTheEngineWakesUpPeriodically() {
        Timing timing = Timing.system("timers");
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null)) {
            cluster.leader();
            Map<Thread, StackTraceElement[]> threads = Thread.getAllStackTraces();

            assertThat(threads.keySet()).extracting(Thread::getName).anyMatch(name -> name.startsWith(ELECTION_TIMER));
            List<String> waking = threads.entrySet().stream()
                    .filter(thread -> Stream.of(thread.getValue())
                            .anyMatch(frame -> frame.getClassName().equals(PERIODIC)))
                    .map(thread -> thread.getKey().getName())
                    .toList();
            assertThat(waking).isEmpty();
        } finally {
            timing.scheduler().close();
        }
    }
}
