package dev.holdfast.internal.observe;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content of a recording of Java Flight Recorder. */
class RecorderObserverTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");

    @TempDir
    Path directory;

    private List<RecordedEvent> recorded(Recording recording) throws IOException {
        Path file = directory.resolve("holdfast.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.holdfast."))
                .toList();
    }

    private static RecordedEvent one(List<RecordedEvent> events, String type) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("dev.holdfast." + type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + type + " among " + events));
    }

    private static Recording everything() {
        Recording recording = new Recording();
        for (String type : List.of("LockWait", "LockHold", "LockLoss", "LockExtension", "NodeRequest")) {
            recording.enable("dev.holdfast." + type).withThreshold(Duration.ZERO);
        }
        recording.start();
        return recording;
    }

    @Test
    void waitHoldExtensionAndRequests() throws IOException {
        try (Recording recording = everything()) {
            Lease lease = a.acquire("x");
            long token = lease.fencingToken();
            cluster.advance(seconds(10));
            cluster.await(lease.releaseAsync());

            List<RecordedEvent> events = recorded(recording);
            RecordedEvent wait = one(events, "LockWait");
            assertThat(wait.getString("lock")).isEqualTo("x");
            assertThat(wait.getString("mode")).isEqualTo("EX");
            assertThat(wait.getString("outcome")).isEqualTo("ACQUIRED");
            assertThat(wait.getLong("token")).isEqualTo(token);
            assertThat(wait.getThread("asker").getJavaName())
                    .isEqualTo(Thread.currentThread().getName());
            RecordedEvent hold = one(events, "LockHold");
            assertThat(hold.getLong("token")).isEqualTo(token);
            assertThat(hold.getString("outcome")).isEqualTo("RELEASED");
            assertThat(hold.getDuration("remaining")).isBetween(seconds(20), seconds(30));
            assertThat(one(events, "LockExtension").getString("outcome")).isEqualTo("EXTENDED");
            assertThat(requests(events))
                    .containsExactlyInAnyOrder(
                            "fake:A ACQUIRE GRANTED",
                            "fake:A EXTEND GRANTED",
                            "fake:A RELEASE RELEASED",
                            "fake:B ACQUIRE GRANTED",
                            "fake:B EXTEND GRANTED",
                            "fake:B RELEASE RELEASED",
                            "fake:C ACQUIRE GRANTED",
                            "fake:C EXTEND GRANTED",
                            "fake:C RELEASE RELEASED");
        }
    }

    private static Set<String> requests(List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().endsWith("NodeRequest"))
                .map(event ->
                        event.getString("node") + " " + event.getString("operation") + " " + event.getString("outcome"))
                .collect(Collectors.toSet());
    }

    @Test
    void aRefusalWithWhatTheNodesSaid() throws IOException {
        cluster.client("b").acquire("x");
        try (Recording recording = everything()) {
            a.tryAcquire("x");

            RecordedEvent wait = one(recorded(recording), "LockWait");
            assertThat(wait.getString("outcome")).isEqualTo("HELD");
            assertThat(wait.getString("detail")).contains("fake:A: HELD by b");
            assertThat(wait.getLong("token")).isZero();
        }
    }

    /** A recording that begins after a fault shows the loss of a lease that existed before it. */
    @Test
    void aLossOfALeaseThatIsOlderThanTheRecording() throws IOException {
        Lease lease = a.acquire("x");
        try (Recording recording = new Recording()) {
            recording.enable("dev.holdfast.LockLoss");
            recording.start();
            a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
            cluster.advance(seconds(40));

            RecordedEvent loss = one(recorded(recording), "LockLoss");
            assertThat(loss.getString("lock")).isEqualTo("x");
            assertThat(loss.getString("reason")).isEqualTo("EXPIRED");
            assertThat(loss.getString("detail")).contains("fake:A: cut");
            assertThat(loss.getLong("token")).isEqualTo(lease.fencingToken());
        }
    }

    @Test
    void byDefaultOnlyWhatTakesLong() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("dev.holdfast.NodeRequest");
            recording.enable("dev.holdfast.LockWait");
            recording.start();
            cluster.await(a.acquire("x").releaseAsync());

            assertThat(recorded(recording))
                    .as("within 20 ms")
                    .allMatch(event -> event.getDuration().toMillis() >= 20);
        }
    }
}
