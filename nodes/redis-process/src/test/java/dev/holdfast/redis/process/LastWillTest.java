package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servers end with their JVM, however it ends. */
class LastWillTest {

    /** Starts two servers, the second one paused, tells of them, and ends or waits without closing anything. */
    static final class Careless {

        public static void main(String[] args) throws IOException {
            RedisProcesses nodes = RedisProcesses.start(2);
            nodes.node(0).restart();
            nodes.node(1).pause();
            nodes.forEach(node -> System.out.println(node.pid() + " " + node.directory()));
            if (args[0].equals("wait")) {
                System.in.read();
            }
        }
    }

    @Test
    void aJvmThatEndsLeavesNothing() throws Exception {
        try (ChildJvm child = ChildJvm.start(Careless.class, Map.of(), "end")) {
            String[] first = child.line().split(" ");
            String[] second = child.line().split(" ");
            await().until(() -> !child.isRunning());

            assertThat(OsProcess.find(Long.parseLong(first[0]))).isEmpty();
            assertThat(OsProcess.find(Long.parseLong(second[0]))).isEmpty();
            assertThat(Path.of(first[1])).doesNotExist();
            assertThat(Path.of(second[1])).doesNotExist();
        }
    }

    @Test
    void aJvmThatIsKilledLeavesNoProcess() throws Exception {
        try (ChildJvm child = ChildJvm.start(Careless.class, Map.of(), "wait")) {
            String[] first = child.line().split(" ");
            String[] second = child.line().split(" ");
            assertThat(OsProcess.find(Long.parseLong(first[0]))).isPresent();
            child.kill();

            await().until(() -> OsProcess.find(Long.parseLong(first[0])).isEmpty());
            await().until(() -> OsProcess.find(Long.parseLong(second[0])).isEmpty());
            FileTree.delete(Files.createDirectories(Path.of(first[1])));
            FileTree.delete(Files.createDirectories(Path.of(second[1])));
        }
    }

    @Test
    void aWrongVariableEndsTheStartWithItsNameAndValue() throws Exception {
        Map<String, String> wrong = Map.of(RedisBinary.VARIABLE, "/no/such/redis-server");
        try (ChildJvm child = ChildJvm.start(Careless.class, wrong, "end")) {
            assertThat(child.output())
                    .contains("HOLDFAST_REDIS_SERVER=/no/such/redis-server is not an executable file");
        }
    }
}
