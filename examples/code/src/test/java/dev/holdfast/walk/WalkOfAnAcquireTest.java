package dev.holdfast.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The number of files to read to follow one acquire from the call to the answer. The list is left in {@code target/walk-of-an-acquire.txt}. */
@Tag("slow")
class WalkOfAnAcquireTest {

    /** The number today; it must never grow. */
    private static final int MOST_FILES = 72;

    @Test
    void aFreeAcquireOnOneRedisPassesThroughFewFiles() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            Map<String, String> walk = MethodTrace.ofFreeAcquire(redis.uri().toString());

            Files.write(
                    Path.of("target", "walk-of-an-acquire.txt"),
                    walk.entrySet().stream()
                            .map(step -> step.getKey() + "  " + step.getValue())
                            .toList());
            assertThat(walk.keySet()).hasSizeLessThanOrEqualTo(MOST_FILES);
        }
    }
}
