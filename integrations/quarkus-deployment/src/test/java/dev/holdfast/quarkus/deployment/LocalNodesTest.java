package dev.holdfast.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcesses;
import org.junit.jupiter.api.Test;

class LocalNodesTest {

    @Test
    void e25_nodesAreInMemoryIfNoServerStarts() throws Exception {
        RedisOptions wrong = RedisOptions.defaults().config("no-such-setting yes");
        try (LocalNodes nodes = new LocalNodes(3, count -> RedisProcesses.start(count, wrong))) {
            nodes.start();
            assertThat(nodes.getConnectionInfo())
                    .isEqualTo("memory:dev-services-1,memory:dev-services-2,memory:dev-services-3");
            try (Holdfast holdfast = Holdfast.builder()
                            .nodes(nodes.getConnectionInfo().split(","))
                            .build();
                    Lease lease = holdfast.lock("stock").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }
}
