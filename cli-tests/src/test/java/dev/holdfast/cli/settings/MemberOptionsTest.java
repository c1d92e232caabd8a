package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cluster.ClusterConfig.Start;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The options of a server of a cluster. */
class MemberOptionsTest {

    private static MemberOptions.Part part(int servers, Start start) {
        MemberOptions options = new MemberOptions();
        options.cluster = "shop";
        options.name = "s0";
        options.servers = IntStream.range(0, servers)
                .mapToObj(i -> "s" + i + "=127.0.0.1:" + (7420 + i) + ":" + (7520 + i))
                .collect(Collectors.joining(","));
        return options.part(Path.of("data"), start, Map.of());
    }

    @Test
    void anEvenNumberOfServersIsAdvisedAgainst() {
        assertThat(part(2, Start.CREATE).advice())
                .hasValue("a cluster of 2 servers stops as soon as one of them does; use 1 or 3");
        assertThat(part(4, Start.CREATE).advice())
                .hasValue("a cluster of 4 servers goes on without 1 of them, as one of 3 does; use 3 or 5");
        assertThat(part(6, Start.CREATE).advice())
                .hasValue("a cluster of 6 servers goes on without 2 of them, as one of 5 does; use 5 or 7");
    }

    @Test
    void anOddNumberAndAClusterThatExistsNeedNoAdvice() {
        assertThat(part(1, Start.CREATE).advice()).isEmpty();
        assertThat(part(3, Start.CREATE).advice()).isEmpty();
        assertThat(part(4, Start.JOIN).advice()).isEmpty();
        assertThat(part(2, Start.RESUME).advice()).isEmpty();
    }
}
