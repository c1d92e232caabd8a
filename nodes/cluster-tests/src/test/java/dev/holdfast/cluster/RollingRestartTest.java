package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that stop hand the lead over, so clients notice no more than a short wait. */
@Tag("slow")
class RollingRestartTest extends OnCluster {

    /** Longer than a hand-over takes even on a busy machine. So a grant within this time shows that no server waited for a silent leader. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(20);

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicLong longestWaitMillis = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();

    private TrialCluster cluster(Duration electionTimeout) {
        cluster = new TrialCluster(folder, timing, electionTimeout, null);
        return cluster;
    }

    private static Holdfast client(TrialCluster cluster, String name, Duration ttl) {
        return Holdfast.builder()
                .clientName(name)
                .node(context -> cluster.movingNode(context.client(), context.listener()))
                .ttl(ttl)
                .noQuorumTimeout(PATIENCE)
                .build();
    }

    @Test
    void aRollingRestartRefusesNoAcquireAndLosesNoLease() throws Exception {
        TrialCluster cluster = cluster(Duration.ofSeconds(1));
        cluster.leader();
        cluster.electLater(ELECTION_TIMEOUT);
        try (Holdfast keeper = client(cluster, "keeper", Duration.ofSeconds(15));
                Holdfast one = client(cluster, "one", Duration.ofMinutes(5));
                Holdfast other = client(cluster, "other", Duration.ofMinutes(5))) {
            Lease kept = keeper.lock("kept").acquire();
            kept.onLost(loss -> faults.add("lost the lease that its client extends: " + loss));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Holdfast client = i % 2 == 0 ? one : other;
                String lock = "lock" + i / 2;
                Thread thread = new Thread(() -> use(client, lock), "user-" + i);
                thread.start();
                threads.add(thread);
            }
            awaitTurns(50);
            for (String name : List.of("a", "b", "c")) {
                long began = timing.ticker().nanos();
                boolean led = cluster.leader().name().equals(name);
                cluster.stop(name);
                awaitTurns(20);
                long millis = (timing.ticker().nanos() - began) / 1_000_000;
                System.out.println(
                        (led ? "leader " : "follower ") + name + " stopped, and 20 turns later: " + millis + " ms");
                assertThat(millis).isLessThan(ELECTION_TIMEOUT.toMillis());
                cluster.restart(name);
                cluster.electLater(ELECTION_TIMEOUT);
                awaitTurns(20);
            }
            // the lead may have skipped a server: the server that leads now hands it over once more
            String last = cluster.leader().name();
            cluster.stop(last);
            cluster.restart(last);
            awaitTurns(20);
            ended.set(true);
            for (Thread thread : threads) {
                thread.join(PATIENCE.toMillis());
                assertThat(thread.isAlive()).isFalse();
            }
            System.out.println(turns + " turns, the longest wait " + longestWaitMillis + " ms");
            assertThat(kept.isHeld()).isTrue();
            assertThat(faults).isEmpty();
            assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** Acquires and releases a lock again and again. With a ttl of minutes, a release that got lost would show as a refusal. */
    private void use(Holdfast client, String lock) {
        long token = 0;
        try {
            while (!ended.get() && faults.isEmpty()) {
                long asked = timing.ticker().nanos();
                try (Acquisition acquisition = client.lock(lock).tryAcquire(Duration.ofMinutes(1))) {
                    if (!acquisition.isHeld()) {
                        faults.add(lock + " is refused: " + acquisition);
                        return;
                    }
                    long millis = (timing.ticker().nanos() - asked) / 1_000_000;
                    longestWaitMillis.accumulateAndGet(millis, Math::max);
                    Lease lease = acquisition.lease();
                    if (lease.fencingToken() <= token) {
                        faults.add(lock + " has token " + lease.fencingToken() + " after " + token);
                    }
                    token = lease.fencingToken();
                    if (!lease.isHeld()) {
                        faults.add(lock + " is lost at once");
                    }
                }
                turns.incrementAndGet();
            }
        } catch (InterruptedException | RuntimeException e) {
            faults.add(lock + ": " + e);
        }
    }

    private void awaitTurns(int more) {
        int goal = turns.get() + more;
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> turns.get() >= goal || !faults.isEmpty());
        assertThat(faults).isEmpty();
    }

    /** An attempt with time to wait outlasts a change of the leader, even one that takes an election timeout. */
    @Test
    void anAttemptThatWaitsOutlastsAnElection() throws Exception {
        TrialCluster cluster = cluster(Duration.ofSeconds(1));
        cluster.leader();
        try (Holdfast client = client(cluster, "one", Duration.ofMinutes(5))) {
            Lease before = client.lock("x").acquire();
            before.close();
            String first = cluster.leader().name();
            cluster.stop(first);
            cluster.stop(cluster.leader().name());

            try (Acquisition none = client.lock("x").tryAcquire()) {
                assertThat(none.isHeld())
                        .as("one server of three, and no time to wait")
                        .isFalse();
            }
            CompletableFuture<Lease> waiting = client.lock("x").acquireAsync(Duration.ofMinutes(2));
            await().pollDelay(Duration.ofMillis(300)).until(() -> !waiting.isDone());
            cluster.restart(first);

            Lease lease = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(lease.fencingToken()).isGreaterThan(before.fencingToken());
            lease.close();
        }
    }

    /** A server that no other server can replace stops at once. */
    @Test
    void aServerThatIsAloneDoesNotWait() {
        TrialCluster cluster = cluster(Duration.ofSeconds(1));
        cluster.leader();
        cluster.electLater(ELECTION_TIMEOUT);
        String last = cluster.leader().name();
        for (String name : List.of("a", "b", "c")) {
            if (!name.equals(last)) {
                cluster.stop(name);
            }
        }
        long began = timing.ticker().nanos();
        cluster.stop(last);
        assertThat((timing.ticker().nanos() - began) / 1_000_000).isLessThan(ELECTION_TIMEOUT.toMillis());
    }
}
