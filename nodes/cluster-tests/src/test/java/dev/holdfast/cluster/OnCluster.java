package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of the servers of a cluster in this process, and the requests of one client to them. */
abstract class OnCluster {

    static final String CLIENT = "c@test~00000000";
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final long LONG_MILLIS = 600_000;

    @TempDir
    Path folder;

    final Timing timing = Timing.system("cluster-test");
    TrialCluster cluster;

    @AfterEach
    void stopServers() {
        if (cluster != null) {
            cluster.close();
        }
        timing.scheduler().close();
    }

    static <T> T answer(CompletionStage<T> stage) {
        return assertDoesNotThrow(() -> stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    /** Re-sends a request until a leader answers it, as a client does after a failover. */
    static <T> T resend(Supplier<CompletionStage<T>> request) {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> answer(request.get()), answer -> !(answer instanceof Unavailable));
    }

    /** Repeats a change of the members until it is made, as an operator does when a leader changes under it. */
    void change(Function<ClusterServer, CompletionStage<String>> change) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> answer(change.apply(cluster.leader())), String::isEmpty);
    }

    static OwnerId owner(long ticket) {
        return new OwnerId(CLIENT, ticket, 0);
    }

    static AcquireRequest request(String resource, long ticket) {
        return AcquireRequest.forQueuedVote(resource, owner(ticket), LockMode.EX, LONG_MILLIS, LONG_MILLIS, 1);
    }

    static AcquireAnswer acquire(LockNode node, String resource, long ticket) {
        return acquire(node, request(resource, ticket));
    }

    static AcquireAnswer acquire(LockNode node, AcquireRequest request) {
        return resend(() -> node.acquire(request));
    }

    static void release(LockNode node, String resource, long ticket) {
        release(node, new ReleaseRequest(resource, owner(ticket), 0));
    }

    static void release(LockNode node, ReleaseRequest request) {
        resend(() -> node.release(request));
    }

    static long fence(AcquireAnswer answer) {
        assertThat(answer).isInstanceOf(AcquireAnswer.Granted.class);
        return ((AcquireAnswer.Granted) answer).fence();
    }
}
