package dev.holdfast.election;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogRecorder;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.testkit.FakeClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches of an election by clients that are not candidates. */
@Timeout(60)
class LeaderWatchTest {

    private final Stage stage = new Stage(3);
    private final FakeClient watcher = stage.cluster.client("watcher");
    private final Election election = watcher.holdfast().election(stage.name).ttl(Stage.TTL);
    private final List<Optional<Leader>> seen = new ArrayList<>();

    @AfterEach
    void close() {
        stage.close();
    }

    private Optional<Leader> leader() {
        return stage.cluster.await(election.leaderAsync());
    }

    private static String name(Optional<Leader> leader) {
        return leader.map(Leader::candidateName).orElse("-");
    }

    private List<String> names() {
        return seen.stream().map(LeaderWatchTest::name).toList();
    }

    @Test
    void itTellsWhoLeadsInWhichTermAndSinceWhen() {
        assertThat(leader()).isEmpty();
        stage.advance(seconds(7));
        Stage.Actor a = stage.leader("a");

        assertThat(leader()).hasValueSatisfying(leader -> {
            assertThat(leader.candidateName()).isEqualTo("a");
            assertThat(leader.term()).isEqualTo(a.leadership().term());
            assertThat(leader.since())
                    .isEqualTo(Instant.parse("2026-01-01T12:00:07Z"))
                    .isEqualTo(a.leadership().since());
            assertThat(a.leadership().lease().owner()).startsWith(leader.owner() + "/");
        });
        stage.cluster.await(a.candidacy.closeAsync().thenApply(none -> true));
        assertThat(leader()).isEmpty();
    }

    @Test
    void itIsStillKnownWhenEveryNodeButNotAllAtOnceHasForgottenIt() {
        Stage.Actor a = stage.leader("a");
        for (int server = 0; server < 3; server++) {
            stage.cluster.server(server).stop();
            stage.advance(seconds(1));
            stage.cluster.server(server).startEmpty();
            stage.advance(seconds(60));
        }

        assertThat(a.leadership().isLeader()).isTrue();
        assertThat(leader().map(Leader::term)).contains(a.leadership().term());
    }

    @Test
    void aHolderThatIsNoLeaderIsNone() {
        Stage.Actor a = stage.leader("a");
        stage.cluster.await(a.candidacy.closeAsync().thenApply(none -> true));
        Lease lock = watcher.acquire(stage.name);

        assertThat(leader()).isEmpty();
        assertThat(stage.cluster.await(lock.writeValueAsync("holdfast-election 1\nrubbish")))
                .isNotNull();
        assertThat(leader()).isEmpty();
        stage.cluster.await(lock.releaseAsync());

        Stage.Actor b = stage.leader("b");
        assertThat(name(leader())).isEqualTo("b");
        assertThat(b.leadership().state()).isEmpty();
    }

    @Test
    void withoutAMajorityNobodyKnows() {
        stage.leader("a");
        watcher.nodes(0, 1).forEach(node -> node.disconnect("cut"));

        assertThatThrownBy(this::leader)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NoQuorumException.class)
                .hasMessageContaining("state of lock 'scheduler' is not known: 1 of 3 nodes answered, 2 are needed")
                .hasMessageContaining("fake:A: cut");
    }

    @Test
    void anObserverIsToldOfThePresentAndOfEachChange() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        try (LeaderWatch watch = election.observe(seen::add)) {
            stage.advance(millis(10));
            assertThat(names()).containsExactly("a");
            stage.advance(seconds(30));
            assertThat(names()).containsExactly("a");

            a.exit();
            stage.awaitWork(b, 1);
            stage.advance(millis(1_100));
            assertThat(names()).as("a second later at the latest").containsExactly("a", "b");
            stage.cluster.await(a.candidacy.closeAsync().thenApply(none -> true));
            stage.until(() -> b.candidacy.closeAsync().toCompletableFuture().isDone());
            stage.advance(seconds(2));
            assertThat(names()).containsExactly("a", "b", "-");
        }
        stage.leader("c");
        stage.advance(seconds(30));
        assertThat(names()).as("after it was closed").hasSize(3);
    }

    @Test
    void anObserverIsToldThatNobodyLeads() {
        try (LeaderWatch watch = election.observe(millis(100), seen::add)) {
            stage.advance(seconds(5));
        }
        assertThat(names()).containsExactly("-");
    }

    @Test
    void theIntervalIsTheObservers() {
        Stage.Actor a = stage.leader("a");
        try (LeaderWatch watch = election.observe(Duration.ofMinutes(10), seen::add)) {
            stage.advance(millis(10));
            stage.until(() -> a.candidacy.closeAsync().toCompletableFuture().isDone());
            stage.advance(Duration.ofMinutes(9));
            assertThat(names()).containsExactly("a");
            stage.advance(Duration.ofMinutes(1));
            assertThat(names()).containsExactly("a", "-");
        }
    }

    @Test
    void whileNobodyKnowsNothingIsToldButTheLogOnce() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        try (LeaderWatch watch = election.observe(seen::add);
                LogRecorder log = LogRecorder.of(LeaderWatch.class)) {
            stage.advance(seconds(2));
            watcher.nodes(0, 1).forEach(node -> node.disconnect("cut"));
            a.exit();
            stage.awaitWork(b, 1);
            stage.advance(seconds(30));
            assertThat(names()).containsExactly("a");
            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("The leader of election 'scheduler' is not known at the moment");

            watcher.nodes(0, 1).forEach(node -> node.reconnect());
            stage.advance(seconds(2));
            assertThat(names()).containsExactly("a", "b");
        }
    }

    @Test
    void anObserverThatThrowsIsLoggedAndToldOfTheNextChange() {
        Stage.Actor a = stage.leader("a");
        try (LogRecorder log = LogRecorder.of(LeaderWatch.class);
                LeaderWatch watch = election.observe(leader -> {
                    seen.add(leader);
                    throw new IllegalStateException("mine");
                })) {
            stage.advance(seconds(2));
            stage.until(() -> a.candidacy.closeAsync().toCompletableFuture().isDone());
            stage.advance(seconds(2));

            assertThat(names()).containsExactly("a", "-");
            assertThat(log.messages(Level.SEVERE)).containsOnly("An observer of election 'scheduler' failed");
        }
    }

    /** The answer to a query that is under way comes after the end. */
    @Test
    void nothingIsToldAfterTheEnd() {
        watcher.nodes().forEach(node -> node.answers().hold());
        LeaderWatch watch = election.observe(seen::add);
        stage.advance(millis(1));
        watch.close();

        watcher.nodes().forEach(node -> node.answers().release());
        stage.advance(seconds(5));

        assertThat(seen).isEmpty();
        assertThat(watcher.machine().pendingTimers()).isZero();
    }

    @Test
    void itMayBeClosedFromWithin() {
        List<LeaderWatch> watches = new ArrayList<>();
        watches.add(election.observe(leader -> {
            seen.add(leader);
            watches.get(0).close();
        }));
        stage.advance(seconds(2));
        stage.leader("a");
        stage.advance(seconds(20));

        assertThat(names()).containsExactly("-");
        assertThat(watcher.machine().pendingTimers()).isZero();
    }
}
