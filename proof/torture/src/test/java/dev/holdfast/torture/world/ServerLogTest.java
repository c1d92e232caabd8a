package dev.holdfast.torture.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that the torture reads in the log of a server. */
class ServerLogTest {

    private static final String PRINTED = """
            Serving locks at http://127.0.0.1:7420
            15:12:12.904 [JRaft-RPC-Processor-8] INFO NodeImpl - Node <torture-1/198.19.239.4:7520:196876260> become leader of group, term=3, conf=198.19.239.2:7520:1968273043, oldConf=.
            15:12:14.073 [holdfast-raft-a-1] INFO NodeImpl - Node <torture-1/198.19.239.2:7520:1968273043> received TimeoutNowRequest from 198.19.239.4:7520:196876260, term=3.
            16:12:39.551 [JRaft-FSMCaller-Disruptor-0] ERROR RaftStateMachine - The server stops taking part in the cluster
            Error [type=ERROR_TYPE_LOG, status=Status[EINVAL<1015>: Corrupted entry at index=51161, term=3, expectedChecksum=-5452762457888287477, realChecksum=-2935291331536024055]]
            15:12:12.739 [JRaft-RPC-Processor-10] INFO NodeImpl - Node <torture-0/198.19.239.4:7520:196876260> become leader of group, term=4, conf=198.19.239.2:7520:1968273043, oldConf=.
            """;

    @TempDir
    Path folder;

    @Test
    void eventsAreCounted() throws IOException {
        ServerLog log = new ServerLog(Files.writeString(folder.resolve("log"), PRINTED));

        assertThat(log.timesServing()).isEqualTo(1);
        assertThat(log.timesLeader()).isEqualTo(2);
        assertThat(log.lastTermAsLeader(0)).isEqualTo(4);
        assertThat(log.lastTermAsLeader(1)).isEqualTo(3);
        assertThat(log.lastTermAsLeader(2)).isZero();
        assertThat(log.timesElectedAtOnce()).isEqualTo(1);
        assertThat(log.timesDamaged()).isEqualTo(1);
    }

    @Test
    void aClusterWithOneGroupDoesNotNameIt() throws IOException {
        ServerLog log = new ServerLog(Files.writeString(
                folder.resolve("log"), PRINTED.replace("torture-0", "torture").replace("torture-1", "torture")));

        assertThat(log.lastTermAsLeader(0)).isEqualTo(4);
    }

    @Test
    void eachLineCountsOnce() throws IOException {
        Path file = folder.resolve("log");
        String half = PRINTED.substring(0, PRINTED.indexOf("of group, term=4"));
        ServerLog log = new ServerLog(Files.writeString(file, half));
        assertThat(log.timesLeader()).isEqualTo(1);
        assertThat(log.timesLeader()).isEqualTo(1);

        Files.writeString(file, PRINTED.substring(half.length()), StandardOpenOption.APPEND);

        assertThat(log.timesLeader()).isEqualTo(2);
        assertThat(log.lastTermAsLeader(0)).isEqualTo(4);
        assertThat(log.timesServing()).isEqualTo(1);
    }

    @Test
    void aServerThatHasNotStartedHasPrintedNothing() {
        ServerLog log = new ServerLog(folder.resolve("none"));

        assertThat(log.timesLeader()).isZero();
        assertThat(log.lastTermAsLeader(0)).isZero();
        assertThat(log.timesDamaged()).isZero();
    }
}
