package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A new cluster starts from the backup of one that is lost. */
@Tag("slow")
class ClusterBackupTest extends OnCluster {

    private ClusterConfig alone(String address, ClusterConfig.Start start) {
        return new ClusterConfig(
                "trial", "n", Map.of("n", address), folder.resolve("n"), start, ClusterConfig.Options.defaults());
    }

    private static void save(TrialCluster cluster, Path backup) {
        byte[] bytes = await().atMost(PATIENCE)
                .until(
                        () -> cluster.leader()
                                .backup()
                                .toCompletableFuture()
                                .exceptionally(failure -> new byte[0])
                                .join(),
                        made -> made.length > 0);
        assertDoesNotThrow(() -> Files.write(backup, bytes));
    }

    @Test
    void aNewClusterContinuesFromABackup() {
        Path backup = folder.resolve("one");
        long held;
        long highest = 0;
        LockValue value;
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null)) {
            cluster.leader();
            LockNode node = cluster.movingNode(CLIENT, new SilentListener());
            held = fence(acquire(node, "held", 10));
            value = new LockValue(held, 1, "left");
            LockValue written = value;
            resend(() -> node.acquire(request("held", 10).extending(written.token(), written)));
            resend(() -> node.release(new ReleaseRequest("sealed", owner(10), 0, Seal.now(owner(10), LONG_MILLIS))));
            assertThat(cluster.follower().backup())
                    .as("a follower asks the leader")
                    .succeedsWithin(Duration.ofMinutes(2));
            save(cluster, backup);

            // tokens that the backup does not know
            for (int i = 0; i < 200; i++) {
                highest = Math.max(highest, fence(acquire(node, "later", 11)));
                release(node, "later", 11);
            }
            release(node, "held", 10);
            highest = Math.max(highest, fence(acquire(node, "held", 12)));
            node.close();
        }

        String address = TrialCluster.freeAddresses("n").get("n");
        ClusterConfig config = alone(address, ClusterConfig.Start.CREATE);
        Backup.restore(backup, config, timing);
        assertThatThrownBy(() -> Backup.restore(backup, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("needs an empty folder");
        try (ClusterServer server = ClusterServer.start(alone(address, ClusterConfig.Start.RESUME), timing)) {
            LockNode node = server.connect(CLIENT, new SilentListener());
            assertThat(acquire(node, "held", 13)).as("held as in the backup").isInstanceOf(AcquireAnswer.Queued.class);
            assertThat(((ResourceState) resend(() -> node.inspect("held"))).value())
                    .isEqualTo(value);
            assertThat(fence(acquire(node, "held", 10))).isEqualTo(held);
            assertThat(acquire(node, "sealed", 13)).isInstanceOf(AcquireAnswer.Sealed.class);
            release(node, "held", 10);

            assertThat(fence(acquire(node, "held", 13))).isGreaterThan(highest);
            long first = fence(acquire(node, "later", 13));
            assertThat(first).isGreaterThan(highest);
            release(node, "later", 13);
            assertThat(fence(acquire(node, "later", 14))).isGreaterThan(first);
            assertThat(fence(acquire(node, "never used", 13))).isGreaterThan(highest);
            node.close();
        }
    }

    /** The servers that join the restored one get its state. */
    @Test
    void serversJoinARestoredCluster() {
        Path backup = folder.resolve("one");
        long held;
        String saved;
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null)) {
            saved = cluster.leader().clusterId();
            LockNode node = cluster.movingNode(CLIENT, new SilentListener());
            held = fence(acquire(node, "held", 10));
            save(cluster, backup);
            node.close();
        }
        Map<String, String> addresses = TrialCluster.freeAddresses("n", "o");
        ClusterConfig config = alone(String.valueOf(addresses.get("n")), ClusterConfig.Start.CREATE);
        Backup.restore(backup, config, timing);
        ClusterConfig joins = new ClusterConfig(
                "trial", "o", addresses, folder.resolve("o"), ClusterConfig.Start.JOIN, config.options());
        try (ClusterServer first = ClusterServer.start(config, timing);
                ClusterServer second = ClusterServer.start(joins, timing)) {
            await().atMost(PATIENCE).until(first::leads);
            assertThat(first.clusterId())
                    .as("another cluster than the one that was saved")
                    .isNotEqualTo(saved)
                    .isEqualTo(second.clusterId());
            String address = String.valueOf(addresses.get("o"));
            await().atMost(PATIENCE)
                    .until(
                            () -> answer(first.add("o", address)),
                            added -> added.isEmpty() || added.contains("already"));
            await().atMost(PATIENCE)
                    .until(() -> answer(first.transfer("o")), moved -> moved.isEmpty() || second.leads());
            LockNode node = second.connect(CLIENT, new SilentListener());
            assertThat(fence(acquire(node, "held", 10))).isEqualTo(held);
            assertThat(acquire(node, "held", 11)).isInstanceOf(AcquireAnswer.Queued.class);
            node.close();
        }
    }

    /** A crash in the middle of a restore, or a disk that gets full, must not leave the folder of a cluster without locks. */
    @Test
    void aRestoreThatWasInterruptedLeavesNoServer() throws Exception {
        byte[] state = new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis()).snapshot();
        Path backup = Files.write(folder.resolve("one"), new Backup("trial", 1, List.of(state)).bytes());
        String address = TrialCluster.freeAddresses("n").get("n");
        Path obstacle = folder.resolve("n/snapshots");
        Files.createDirectories(obstacle.getParent());
        Files.writeString(obstacle, "no folder, so that writing fails");

        assertThatThrownBy(() -> Backup.restore(backup, alone(address, ClusterConfig.Start.CREATE), timing))
                .isInstanceOf(HoldfastException.class);
        Files.delete(obstacle);

        for (ClusterConfig.Start start : ClusterConfig.Start.values()) {
            assertThatThrownBy(() ->
                            ClusterServer.start(alone(address, start), timing).close())
                    .as("%s", start)
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("was not restored completely; empty the folder, and restore it again");
        }
        assertThatThrownBy(() -> Backup.restore(backup, alone(address, ClusterConfig.Start.CREATE), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("was not restored completely");
    }

    @Test
    void aFileThatIsNoBackupIsRefused() throws Exception {
        Path none = folder.resolve("none");
        ClusterConfig config = alone("127.0.0.1:7421", ClusterConfig.Start.CREATE);
        assertThatThrownBy(() -> Backup.restore(none, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("there is no file " + none);
        Path other = Files.writeString(folder.resolve("other"), "some text");
        assertThatThrownBy(() -> Backup.restore(other, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("is not a backup of a cluster");
        assertThatThrownBy(() -> Backup.restore(folder, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("the backup " + folder + " cannot be read: Is a directory");
        byte[] later = new Backup("trial", 1, List.of(new byte[40])).bytes();
        later[4] = 9;
        Path newer = Files.write(folder.resolve("newer"), later);
        assertThatThrownBy(() -> Backup.restore(newer, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("has version 9; this release reads versions 1 and 2");
        Path cut = Files.write(
                folder.resolve("cut"), Arrays.copyOf(new Backup("trial", 1, List.of(new byte[40])).bytes(), 60));
        assertThatThrownBy(() -> Backup.restore(cut, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("is not complete: it ends early");
        Path damaged = Files.write(folder.resolve("damaged"), new Backup("trial", 1, List.of(new byte[40])).bytes());
        assertThatThrownBy(() -> Backup.restore(damaged, config, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("cannot be restored");
        ClusterConfig two = new ClusterConfig(
                "trial",
                "n",
                Map.of("n", "127.0.0.1:7421", "o", "127.0.0.1:7422"),
                folder.resolve("n"),
                ClusterConfig.Start.CREATE,
                config.options());
        ClusterConfig.Options usual = ClusterConfig.Options.defaults();
        ClusterConfig three = new ClusterConfig(
                config.cluster(),
                config.name(),
                config.peers(),
                config.data(),
                config.start(),
                new ClusterConfig.Options(3, usual.electionTimeout(), usual.snapshotInterval(), null));
        assertThatThrownBy(() -> Backup.restore(damaged, three, timing))
                .hasMessageContaining("the backup has 1 group, but this server has 3;");
        assertThatThrownBy(() -> Backup.restore(damaged, two, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("restored to one server");
    }
}
