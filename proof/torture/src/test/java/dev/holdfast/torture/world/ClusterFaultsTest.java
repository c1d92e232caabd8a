package dev.holdfast.torture.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.testkit.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Single faults of the servers of a cluster, which are real processes, and what their clients see. */
@Tag("slow")
@Timeout(300)
class ClusterFaultsTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(10);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static ClusterServers cluster;

    private final List<Holdfast> clients = new ArrayList<>();

    @BeforeAll
    static void startServers() throws IOException {
        cluster = ClusterServers.start(3, 1, directory);
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    /** Ends the faults, after which each server must take part again. */
    @AfterEach
    void mend() throws InterruptedException {
        clients.forEach(Holdfast::close);
        cluster.mend();
        cluster.processes().forEach(ClusterProcess::resume);
        cluster.processes().forEach(ClusterProcess::start);
        assertThat(cluster.problems()).isEmpty();
    }

    private DistributedLock lock(String uri, String name) {
        Holdfast client = Holdfast.builder()
                .nodes(uri)
                .lockOptions(options -> options.ttl(TTL))
                .connect();
        clients.add(client);
        return client.lock(name);
    }

    private static void rest(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }

    @Test
    void aLeaderThatWasStoppedGrantsNothingAndItsClientsFollowTheNextOne() throws Exception {
        ClusterProcess leader = cluster.process(cluster.awaitLeader(LONG));
        Lease kept = lock(cluster.uri(), "kept").acquire(LONG);
        DistributedLock taken = lock(cluster.uri(), "taken");
        DistributedLock alone = lock("holdfast://" + leader.clientAddress(), "taken");
        alone.acquire(LONG).release();

        leader.pause();
        Duration pause =
                Duration.ofSeconds(Effort.of(11, 30)); // longer than the ttl, so only extensions keep the lease
        long end = System.nanoTime() + pause.toNanos();
        CompletableFuture<Acquisition> late =
                alone.tryAcquireAsync(pause.plus(TTL)); // waits in the stopped server's socket
        Lease lease = taken.acquire(LONG);
        while (System.nanoTime() - end < 0) {
            assertThat(kept.isHeld()).as("extended at the next leader").isTrue();
            rest(Duration.ofMillis(50));
        }
        leader.resume();

        assertThat(late.get().isHeld()).as("granted by a former leader").isFalse();
        assertThat(kept.isHeld()).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(taken.status().holders()).hasSize(1);
        assertThat(taken.status().holders().get(0).token()).isEqualTo(lease.fencingToken());
        kept.release();
        lease.release();
    }

    /** Without the watch, the others would begin only once the leader had been silent for the election timeout. */
    @Test
    void aKilledLeaderIsReplacedByAnElectionThatDoesNotWaitForTheTimeout() throws Exception {
        DistributedLock lock = lock(cluster.uri(), "orders");
        long before = elections();
        for (int kill = 0; kill < 5 && elections() == before; kill++) {
            lock.acquire(LONG).release();
            ClusterProcess leader = cluster.process(cluster.awaitLeader(LONG));
            leader.kill();
            lock.acquire(LONG).release();
            leader.start();
        }
        assertThat(elections()).isGreaterThan(before);
    }

    private static long elections() {
        return cluster.processes().stream()
                .mapToLong(ClusterProcess::timesElectedAtOnce)
                .sum();
    }

    @Test
    void stepsOfAllWallClocksByUpToAnHourChangeNothing(TestReporter reporter) throws Exception {
        assumeTrue(cluster.haveSteppableClocks(), () -> "no steppable clocks: " + cluster.missing());
        long seed = System.nanoTime();
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        cluster.awaitLeader(LONG);
        long changes = cluster.leaderChanges();
        Lease kept = lock(cluster.uri(), "kept").acquire(LONG);
        Lease unextended = lock(cluster.uri(), "unextended")
                .autoExtend(false)
                .ttl(Duration.ofMinutes(2))
                .acquire(LONG);
        CompletableFuture<Lease> first = lock(cluster.uri(), "kept").acquireAsync(LONG);
        DistributedLock busy = lock(cluster.uri(), "busy");
        long token = 0;
        for (int step = 0; step < Effort.of(20, 300); step++) {
            for (ClusterProcess server : cluster.processes()) {
                server.stepClock(Duration.ofMillis(random.nextInt(-3_600_000, 3_600_001)));
            }
            Lease lease = busy.acquire(LONG);
            assertThat(lease.fencingToken()).as("seed %s", seed).isGreaterThan(token);
            token = lease.fencingToken();
            lease.release();
            rest(Duration.ofMillis(100));
        }
        assertThat(kept.isHeld()).as("seed %s", seed).isTrue();
        assertThat(unextended.isHeld()).isTrue();
        assertThat(lock(cluster.uri(), "unextended").tryAcquire(SHORT).isHeld())
                .as("expired early; seed %s", seed)
                .isFalse();
        assertThat(first).as("granted while held; seed %s", seed).isNotDone();
        kept.release();
        first.get().release();
        unextended.release();
        reporter.publishEntry("leader changes", Long.toString(cluster.leaderChanges() - changes));
    }

    @Test
    void withoutAMajorityClientsLearnWhyAndGoOnWhenOneServerReturns() throws Exception {
        DistributedLock lock = lock(cluster.uri(), "orders");
        Lease before = lock.acquire(LONG);
        before.release();
        ClusterProcess one = cluster.process(0);
        cluster.process(1).kill();
        cluster.process(2).kill();

        await("the reason")
                .atMost(LONG)
                .until(
                        () -> refusal(lock),
                        reason -> reason.contains("no leader that server " + one.name() + " knows")
                                && reason.contains("connection refused"));
        assertThatThrownBy(() -> lock.acquire(SHORT))
                .isInstanceOf(NoQuorumException.class)
                .hasMessageContaining("connection refused");

        cluster.process(1).start();
        Lease after = lock.acquire(LONG);
        assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        after.release();
    }

    private static String refusal(DistributedLock lock) {
        try (Acquisition acquisition = lock.tryAcquire(SHORT)) {
            return acquisition instanceof Acquisition.Refused refused
                    ? refused.refusal().toString()
                    : "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFullDiskOfTheLeaderStopsOnlyThatServer() throws Exception {
        assumeTrue(!cluster.machines().isEmpty(), () -> "no small disks: " + cluster.missing());
        ClusterProcess leader = cluster.process(cluster.awaitLeader(LONG));
        Lease kept = lock(cluster.uri(), "kept").acquire(LONG);
        DistributedLock busy = lock(cluster.uri(), "busy");
        Lease before = busy.acquire(LONG);
        before.release();

        leader.machine().orElseThrow().fillDisk();
        long token = before.fencingToken();
        for (int turn = 0; turn < 200; turn++) {
            Lease lease = busy.acquire(LONG);
            assertThat(lease.fencingToken()).isGreaterThan(token);
            token = lease.fencingToken();
            lease.release();
        }
        assertThat(kept.isHeld()).isTrue();
        restartWithSpace(leader);
        kept.release();
    }

    @Test
    void fullDisksOfAMajorityLoseNothingThatWasAcknowledged() throws Exception {
        assumeTrue(Effort.isThorough(), "takes minutes: make thorough");
        assumeTrue(!cluster.machines().isEmpty(), () -> "no small disks: " + cluster.missing());
        DistributedLock busy = lock(cluster.uri(), "busy");
        Lease kept = lock(cluster.uri(), "kept")
                .ttl(Duration.ofMinutes(5))
                .autoExtend(false)
                .acquire(LONG);
        List<ClusterProcess> full = List.of(cluster.process(0), cluster.process(1));
        full.forEach(server -> server.machine().orElseThrow().fillDisk());

        long token = 0;
        int refused = 0;
        long end = System.nanoTime() + LONG.toNanos();
        while (refused < 3) {
            assertThat(System.nanoTime() - end).as("a refusal").isNegative();
            try (Acquisition acquisition = busy.tryAcquire(SHORT)) {
                if (acquisition.isHeld()) {
                    assertThat(acquisition.lease().fencingToken()).isGreaterThan(token);
                    token = acquisition.lease().fencingToken();
                } else {
                    refused++;
                }
            }
        }
        full.forEach(ClusterFaultsTest::restartWithSpace);

        Lease after = busy.acquire(LONG);
        assertThat(after.fencingToken()).isGreaterThan(token);
        assertThat(lock(cluster.uri(), "kept").tryAcquire(SHORT).isHeld()).isFalse();
        assertThat(kept.isHeld()).isTrue();
        after.release();
        kept.release();
    }

    private static void restartWithSpace(ClusterProcess server) {
        server.machine().orElseThrow().emptyDisk();
        server.kill();
        server.start();
    }
}
