package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcesses;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstLockTest {

    @Test
    void savesWithTokensThatRise() throws Exception {
        List<Long> tokens = new ArrayList<>();
        try (RedisProcesses redis = RedisProcesses.start(3)) {
            String[] nodes = redis.uris().stream().map(URI::toString).toArray(String[]::new);
            for (int i = 0; i < 3; i++) {
                FirstLock.saveUnderLock((order, token) -> tokens.add(token), nodes);
            }
        }
        assertThat(tokens).hasSize(3).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void runsWithoutAnyServer() throws Exception {
        FirstLock.main(new String[0]);
    }
}
