package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes of any kind stop, continue and end on request, or end with their JVM. */
class OsProcessTest {

    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "600").start();
    }

    /** Starts two processes, the second one stopped, tells of them, and waits. */
    static final class Careless {

        public static void main(String[] args) throws IOException {
            OsProcess running = OsProcess.endingWithThisJvm(sleeper().toHandle());
            OsProcess stopped = OsProcess.endingWithThisJvm(sleeper().toHandle());
            stopped.pause();
            System.out.println(running.pid() + " " + stopped.pid());
            System.in.read();
        }
    }

    @Test
    void aProcessStopsGoesOnAndIsKilledThoughItIsStopped() throws IOException {
        OsProcess process = OsProcess.endingWithThisJvm(sleeper().toHandle());
        process.pause();
        assertThat(process.isPaused()).isTrue();
        process.resume();
        assertThat(process.isPaused()).isFalse();
        assertThat(process.isRunning()).isTrue();
        process.pause();
        process.kill();
        assertThat(process.isRunning()).isFalse();
    }

    @Test
    void aJvmThatIsKilledTakesItsProcessesWithIt() throws Exception {
        try (ChildJvm child = ChildJvm.start(Careless.class, Map.of())) {
            String[] pids = child.line().split(" ");
            assertThat(OsProcess.find(Long.parseLong(pids[0]))).isPresent();
            assertThat(OsProcess.find(Long.parseLong(pids[1]))).isPresent();
            child.kill();
            await().until(() -> OsProcess.find(Long.parseLong(pids[0])).isEmpty());
            await().until(() -> OsProcess.find(Long.parseLong(pids[1])).isEmpty());
        }
    }
}
