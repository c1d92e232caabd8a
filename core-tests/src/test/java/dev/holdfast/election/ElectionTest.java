package dev.holdfast.election;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogRecorder;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.FakeCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Candidates and the one of them that leads. */
@Timeout(60)
class ElectionTest {

    private static final Duration TTL = Stage.TTL;
    private static final Duration MARGIN = TTL.dividedBy(20);

    private final Stage stage = new Stage(3);

    @AfterEach
    void close() {
        stage.close();
    }

    private void cutOff(Stage.Actor actor) {
        actor.client.nodes(0, 1).forEach(node -> node.disconnect("cut"));
    }

    private void connectAgain(Stage.Actor actor) {
        actor.client.nodes(0, 1).forEach(node -> node.reconnect());
        stage.cluster.world().drain();
    }

    // ---- terms

    @Test
    void oneLeadsAndTheOthersFollowInTheOrderInWhichTheyCame() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        stage.advance(millis(1));
        Stage.Actor c = stage.actor("c").stand();
        stage.advance(seconds(60));

        assertThat(a.leadership().isLeader()).isTrue();
        assertThat(List.of(b.leads(), c.leads())).containsOnly(false);

        a.exit();
        stage.awaitWork(b, 1);
        assertThat(List.of(a.leads(), c.leads())).containsOnly(false);
        b.exit();
        stage.awaitWork(c, 1);
        c.exit();
        stage.awaitWork(a, 2);

        assertThat(List.of(
                        a.led.get(0).term(),
                        b.leadership().term(),
                        c.leadership().term(),
                        a.led.get(1).term()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aLeadershipTellsWhatItIs() {
        Stage.Actor a = stage.leader("a");
        Leadership leadership = a.leadership();

        assertThat(leadership.electionName()).isEqualTo("scheduler");
        assertThat(leadership.candidateName()).isEqualTo("a");
        assertThat(leadership.term())
                .isEqualTo(leadership.lease().fencingToken())
                .isPositive();
        assertThat(leadership.remaining()).isBetween(TTL.minus(seconds(1)), TTL);
        assertThat(leadership.since()).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(leadership.state()).isEmpty();
        leadership.ensureLeader();
    }

    @Test
    void candidatesOfOneClientAreCandidatesLikeOthers() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor(a.client, "b").stand();
        stage.advance(millis(1));
        Stage.Actor c = stage.actor("c").stand();
        stage.advance(seconds(5));
        assertThat(a.contended).containsExactly(a.leadership());

        a.exit();
        stage.awaitWork(b, 1);
        b.exit();
        stage.awaitWork(c, 1);

        assertThat(c.leadership().term()).isGreaterThan(b.leadership().term());
    }

    @Test
    void aLeaderThatReturnsAloneIsElectedAgainInANewTerm() {
        Stage.Actor a = stage.leader("a");
        a.exit();
        stage.awaitWork(a, 2);

        assertThat(a.led.get(1).term()).isGreaterThan(a.led.get(0).term());
        assertThat(a.led.get(0).isLeader()).isFalse();
        assertThat(a.course).containsExactly("begins", "ends", "begins");
    }

    @Test
    void whoWaitsIsToldOnceAndTheLeaderMayStay() {
        Stage.Actor a = stage.leader("a");
        assertThat(a.contended).isEmpty();
        stage.actor("b").stand();
        stage.actor("c").stand();
        stage.advance(seconds(100));

        assertThat(a.contended).containsExactly(a.leadership());
        assertThat(a.leadership().isLeader()).isTrue();
    }

    @Test
    void aLeadershipLastsForAsLongAsItsWork() {
        Stage.Actor a = stage.leader("a");
        stage.actor("b").stand();
        stage.advance(Duration.ofDays(1));

        assertThat(a.leadership().isLeader()).isTrue();
        assertThat(a.losses).isEmpty();
    }

    // ---- without a majority

    @Test
    void c12_aCandidateWithoutAMajorityGoesOnWarnsAtGrowingIntervalsAndLeadsOnceNodesAnswer() {
        Stage.Actor a = stage.actor("a");
        a.client.nodes(0, 1).forEach(node -> node.requests().lose());
        try (LogRecorder refusals = LogRecorder.of(Candidacy.class);
                LogRecorder alarm = LogRecorder.of("dev.holdfast.internal.report.NoQuorumAlarm")) {
            a.stand();
            List<Integer> warnings = new ArrayList<>();
            for (Duration length : List.of(seconds(6), seconds(54), Duration.ofMinutes(4), Duration.ofMinutes(25))) {
                stage.advance(length);
                warnings.add(alarm.messages(Level.WARNING).size());
            }

            assertThat(warnings).as("after 6 s, 1, 5 and 30 minutes").containsExactly(1, 3, 5, 10);
            assertThat(alarm.messages(Level.WARNING).get(9))
                    .as("not only how long the latest attempt has had none")
                    .containsPattern("; no majority has answered this client for 1\\d{3} s");
            assertThat(refusals.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("can't be elected in 'scheduler' for now, and keeps trying");
            assertThat(a.client.node(0).acquires())
                    .extracting(request -> request.owner().attempt())
                    .as("noQuorumTimeout ends an attempt, and another begins")
                    .satisfies(attempts -> assertThat(new HashSet<>(attempts)).hasSizeGreaterThan(30));
            assertThat(a.leads()).isFalse();

            a.client.nodes(0, 1).forEach(node -> node.heal());
            stage.advance(seconds(45));
            stage.awaitWork(a, 1);

            assertThat(a.leads()).isTrue();
            assertThat(a.errors).isEmpty();
            assertThat(alarm.messages(Level.INFO)).last().isEqualTo("A majority of nodes answers again");
        }
    }

    // ---- revoked

    @Test
    void aLeaderThatIsCutOffIsToldBeforeItsDeadlineAndBeforeAnotherIsElected() {
        Stage.Actor a = stage.leader("a");
        Lease lease = a.leadership().lease();
        Stage.Actor b = stage.actor("b").stand();
        AtomicReference<Duration> left = new AtomicReference<>();
        a.whenRevoked = () -> left.set(lease.remaining());
        stage.advance(seconds(5));
        cutOff(a);

        stage.pass(() -> left.get() != null, TTL);

        assertThat(left.get()).as("left when it was told").isBetween(MARGIN.minus(millis(5)), MARGIN);
        assertThat(a.leadership().isLeader()).isFalse();
        assertThat(a.leadership().remaining()).isZero();
        assertThat(b.leads()).isFalse();
        assertThat(a.losses).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
            assertThat(loss.detail()).contains("cut");
        });
        stage.until(() -> a.interrupts.get() == 1);
        assertThatThrownBy(() -> a.leadership().ensureLeader())
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("leadership of election 'scheduler' in term");

        stage.pass(b::leads, TTL);
        assertThat(a.losses).hasSize(1);
        assertThat(a.errors).as("an interrupt that came of it is no error").isEmpty();
    }

    @Test
    void aLeaderThatHasLedForTheLongestHoldIsToldSo() {
        Stage.Actor a = stage.actor("a");
        a.candidacy =
                a.election.options(options -> options.maxHold(seconds(60))).stand(a);
        stage.awaitWork(a, 1);

        Duration led = stage.pass(() -> a.losses.size() == 1, seconds(61));

        assertThat(led).isBetween(seconds(59), seconds(60));
        assertThat(a.losses.get(0).reason()).isEqualTo(Loss.Reason.MAX_HOLD);
    }

    @Test
    void aCrashedLeaderIsFollowedWithinATtlAndASecond() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        stage.advance(seconds(33));
        a.client.kill();

        assertThat(stage.pass(b::leads, TTL.plusSeconds(1))).isPositive();
        assertThat(a.leadership().isLeader()).isFalse();
    }

    @Test
    void aLeaderWhoseLeaseIsBrokenIsToldAtOnceWhenItLearnsOfIt() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        Leadership broken = a.leadership();
        AtomicReference<BreakOutcome> outcome = new AtomicReference<>();
        Thread operator = new Thread(() -> {
            try {
                outcome.set(b.client
                        .holdfast()
                        .admin()
                        .breakLease(stage.name, broken.term(), "a test")
                        .outcome());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        operator.start();
        stage.until(() -> outcome.get() != null);
        assertThat(outcome).hasValue(BreakOutcome.BROKEN);

        stage.pass(() -> !a.losses.isEmpty(), TTL);

        assertThat(a.losses).singleElement().extracting(Loss::reason).isEqualTo(Loss.Reason.RELEASED);
        assertThat(broken.isLeader()).isFalse();
        stage.until(() -> a.interrupts.get() == 1);
    }

    @Test
    void aLeaderThatStoodStillIsToldAsSoonAsItGoesOn() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        stage.advance(seconds(5));
        a.client.pause();
        stage.pass(b::leads, TTL.plusSeconds(1));
        stage.awaitWork(b, 1);
        stage.advance(seconds(60));
        assertThat(a.losses).isEmpty();
        assertThat(a.leadership().isLeader())
                .as("by its clock, before any timer ran")
                .isFalse();

        a.client.resume();
        stage.until(() -> a.losses.size() == 1);

        stage.until(a::rests);
        assertThat(a.interrupts).hasValue(1);
        assertThat(b.leadership().term()).isGreaterThan(a.led.get(0).term());
        stage.advance(seconds(1)); // queued again
        b.exit();
        stage.awaitWork(a, 2);
    }

    @Test
    void workThatOutlastsItsLeadershipIsNotJoinedByASecondOne() {
        Stage.Actor a = stage.leader("a").ignoresInterrupts();
        a.exit();
        stage.awaitWork(a, 2); // from now on, the work ignores interrupts
        cutOff(a);
        stage.pass(() -> a.losses.size() == 1, TTL);
        connectAgain(a);
        stage.advance(TTL.multipliedBy(10));

        assertThat(a.leads()).isFalse();
        assertThat(a.led).hasSize(2);
        a.exit();
        stage.awaitWork(a, 3);

        assertThat(a.mostAtWork).hasValue(1);
    }

    @Test
    void anotherIsElectedThoughTheWorkOfTheOneBeforeDoesNotEnd() {
        Stage.Actor a = stage.actor("a").ignoresInterrupts().stand();
        stage.awaitWork(a, 1);
        Stage.Actor b = stage.actor("b").stand();
        try (LogRecorder log = LogRecorder.of(Leadership.class)) {
            a.leadership().stepDown();

            Duration waited = stage.pass(b::leads, TTL.plusSeconds(1));

            assertThat(waited).as("it is given time to end").isBetween(TTL, TTL.plusSeconds(1));
            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("still runs a ttl after");
        }
    }

    @Test
    void theLockGoesBackWhenWorkAndWordOfItsEndAreOver() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        List<Integer> votes = new ArrayList<>();
        Lease lease = a.leadership().lease();
        a.whenRevoked = () -> {
            stage.untilReal(a::rests);
            votes.add(stage.cluster.votes(lease));
        };
        a.client.nodes(0, 1).forEach(node -> node.answers().lose()); // the nodes carry out its requests
        stage.pass(() -> !votes.isEmpty(), TTL);

        assertThat(votes).as("at the nodes, after the work has ended").containsExactly(3);
        stage.pass(b::leads, TTL);
    }

    // ---- without a majority

    @Test
    void aWaitIsReportedToTheObserverOfTheOptions() {
        stage.leader("a");
        List<Waiting> waits = new ArrayList<>();
        Stage.Actor b = stage.actor("b");

        b.candidacy =
                b.election.options(options -> options.onWaiting(waits::add)).stand(b);
        stage.advance(seconds(1));

        assertThat(waits).isNotEmpty();
        assertThat(waits.get(waits.size() - 1).place()).isEqualTo(1);
    }

    @Test
    void whoIsCutOffKeepsTryingSaysSoOnceAndIsElectedWhenNodesAreBack() {
        Stage.Actor a = stage.actor("a");
        cutOff(a);
        try (LogRecorder log = LogRecorder.of(Candidacy.class)) {
            a.stand();
            stage.advance(Duration.ofMinutes(5));

            assertThat(a.leads()).isFalse();
            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("Candidate 'a' can't be elected in 'scheduler' for now")
                    .contains("1 of 3 nodes answer");
        }
        connectAgain(a);

        stage.pass(a::leads, seconds(11));
        stage.awaitWork(a, 1);
    }

    @Test
    void aLeaderThatLostItsMajorityStandsAgain() {
        Stage.Actor a = stage.leader("a");
        cutOff(a);
        stage.pass(() -> a.losses.size() == 1, TTL);
        stage.until(a::rests);
        assertThat(a.interrupts).hasValue(1);
        stage.advance(Duration.ofMinutes(1));
        assertThat(a.leads()).isFalse();
        connectAgain(a);

        stage.pass(a::leads, seconds(11));
        stage.awaitWork(a, 2);
        assertThat(a.led.get(1).term()).isGreaterThan(a.led.get(0).term());
    }

    // ---- work that throws

    @Test
    void whatTheWorkThrowsIsPassedOnAndTheLeadershipGivenBack() {
        Stage.Actor a = stage.actor("a");
        IOException thrown = new IOException("disk");
        a.part = leadership -> {
            throw thrown;
        };
        a.stand();
        stage.until(() -> a.errors.size() == 1);

        assertThat(a.errors.get(0)).isSameAs(thrown);
        assertThat(a.led.get(0).isLeader()).isFalse();
        assertThat(stage.cluster.traces(stage.name))
                .as("locks and places in line")
                .isZero();
        Stage.Actor b = stage.actor("b").stand();
        assertThat(b.leads()).as("nobody is in its way").isTrue();
    }

    @Test
    void whoseWorkThrowsStandsAgainAfterPausesThatGrow() {
        Stage.Actor a = stage.actor("a");
        a.part = leadership -> {
            a.awaitExit();
            throw new AssertionError("an error is passed on like an exception");
        };
        a.stand();
        List<Duration> pauses = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            int times = i;
            stage.awaitWork(a, times);
            a.exit();
            stage.until(() -> a.errors.size() == times);
            pauses.add(stage.pass(a::leads, seconds(11)));
        }

        Duration longest = millis(100);
        for (Duration pause : pauses) {
            assertThat(pause).isBetween(longest.dividedBy(2), longest);
            longest = longest.multipliedBy(2).compareTo(seconds(10)) > 0 ? seconds(10) : longest.multipliedBy(2);
        }
        assertThat(a.errors).hasOnlyElementsOfType(AssertionError.class);
    }

    @Test
    void anInterruptOfTheWorksOwnIsAnError() {
        Stage.Actor a = stage.actor("a");
        a.part = leadership -> {
            throw new InterruptedException("my own");
        };
        a.stand();
        stage.until(() -> a.errors.size() == 1);

        assertThat(a.errors.get(0)).hasMessage("my own");
    }

    @Test
    void anErrorIsLoggedUnlessSomebodyTakesIt() {
        try (LogRecorder log = LogRecorder.of(Candidate.class)) {
            Candidate plain = leadership -> {};

            plain.onError(new IOException("disk"));

            assertThat(log.messages(Level.SEVERE)).containsExactly("The work of a leader failed");
        }
    }

    @Test
    void aCallbackThatThrowsIsLoggedAndTheElectionGoesOn() {
        Stage.Actor a = stage.leader("a");
        a.whenContended = () -> {
            throw new IllegalStateException("mine");
        };
        try (LogRecorder log = LogRecorder.of(Candidacy.class)) {
            stage.actor("b").stand();
            stage.advance(seconds(5));

            assertThat(log.messages(Level.SEVERE)).containsExactly("A callback of candidate 'a' failed");
        }
        assertThat(a.leadership().isLeader()).isTrue();
    }

    // ---- stepping down

    @Test
    void whoStepsDownIsInterruptedAndTheNextLeadsAtOnce() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();

        CompletableFuture<ReleaseOutcome> down = a.leadership().stepDown().toCompletableFuture();

        assertThat(a.leadership().isLeader()).isFalse();
        stage.until(b::leads);
        stage.awaitWork(b, 1);
        assertThat(down.join()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(a.interrupts).hasValue(1);
        assertThat(a.losses).as("it was its own will").isEmpty();
        assertThat(a.errors).isEmpty();
        b.exit();
        stage.awaitWork(a, 2);
    }

    @Test
    void workThatStepsDownItselfIsNotInterruptedAndItsCandidateWaitsForItsEnd() {
        Stage.Actor a = stage.actor("a");
        Semaphore mayEnd = new Semaphore(0);
        a.part = leadership -> {
            leadership.stepDown();
            leadership.stepDown();
            mayEnd.acquire();
        };
        a.stand();
        Stage.Actor b = stage.actor("b").stand();

        stage.awaitWork(b, 1);
        assertThat(a.interrupts).hasValue(0);
        b.exit();
        stage.awaitWork(b, 2);

        assertThat(a.led).as("not again before its work has ended").hasSize(1);
        mayEnd.release();
        stage.until(() -> a.atWork.get() == 0);
        a.part = leadership -> {};
        b.exit();
        stage.until(() -> a.led.size() >= 2);
    }

    // ---- the end of a candidacy

    @Test
    void aClosedCandidacyGivesItsPlaceInLineBack() {
        Stage.Actor a = stage.leader("a");
        Stage.Actor b = stage.actor("b").stand();
        stage.cluster.await(b.candidacy.closeAsync());
        a.exit();
        stage.awaitWork(a, 2);

        assertThat(b.led).isEmpty();
    }

    @Test
    void aClosedClientEndsTheCandidacyOfALeaderAndOfOneThatWaits() {
        Stage.Actor leader = stage.leader("a");
        Stage.Actor waiting = stage.actor("b").stand();
        for (Stage.Actor one : List.of(waiting, leader)) {
            CompletableFuture<Void> ended = one.candidacy.ended();
            CompletableFuture<Void> given = one.candidacy.ended();
            assertThat(ended).isNotDone();
            given.cancel(true);

            CompletableFuture<Void> closed = CompletableFuture.runAsync(one.client.holdfast()::close);

            stage.until(() -> ended.isDone() && closed.isDone());
            assertThat(ended).isCompletedWithValue(null);
        }
    }

    @Test
    void closingInterruptsTheWorkAndGivesTheLockBack() {
        Stage.Actor a = stage.leader("a");
        stage.until(() -> a.candidacy.closeAsync().toCompletableFuture().isDone());

        assertThat(a.interrupts).hasValue(1);
        assertThat(stage.cluster.traces(stage.name)).isZero();
        stage.advance(Duration.ofMinutes(5));
        assertThat(a.led).hasSize(1);
    }

    @Test
    void theWorkItselfMayCloseIt() {
        Stage.Actor a = stage.actor("a");
        a.part = leadership -> a.candidacy.close();
        Stage.Actor b = stage.actor("b");
        a.candidacy = a.election.stand(a);
        b.stand();

        stage.awaitWork(b, 1);
        stage.until(() -> a.atWork.get() == 0);
        stage.advance(Duration.ofMinutes(5));

        assertThat(a.led).hasSize(1);
        assertThat(a.errors).isEmpty();
        assertThat(a.interrupts).hasValue(0);
    }

    @Test
    void whoIsToldOfContentionOrOfTheEndMayCloseItThere() {
        Stage.Actor a = stage.leader("a");
        a.whenContended = () -> a.candidacy.close();
        Stage.Actor b = stage.actor("b").stand();
        stage.awaitWork(b, 1);
        b.whenRevoked = () -> b.candidacy.close();
        cutOff(b);
        stage.pass(() -> b.losses.size() == 1, TTL);
        stage.until(() -> b.candidacy.closeAsync().toCompletableFuture().isDone());

        assertThat(a.interrupts).hasValue(1);
        connectAgain(b);
        stage.advance(Duration.ofMinutes(5));
        assertThat(a.led).hasSize(1);
        assertThat(b.led).hasSize(1);
    }

    @Test
    void closingWhileItPausesEndsThePause() {
        Stage.Actor a = stage.actor("a");
        a.part = leadership -> {
            throw new IOException("disk");
        };
        a.stand();
        stage.until(() -> a.errors.size() == 1);

        assertThat(a.candidacy.closeAsync().toCompletableFuture()).isDone();
        stage.advance(Duration.ofMinutes(1));
        assertThat(a.led).hasSize(1);
    }

    /** Acquires the lock, while no majority confirms the announcement. */
    private Stage.Actor unannounced() {
        Stage.Actor a = stage.actor("a");
        a.client
                .nodes(0, 1)
                .forEach(node -> node.answerAcquires(
                        request -> request.value() == null ? null : new Unavailable("the disk is full", false)));
        a.stand();
        stage.advance(seconds(1));
        return a;
    }

    @Test
    void whoHasTheLockLeadsOnlyOnceAMajorityCanNameIt() {
        Stage.Actor a = unannounced();
        assertThat(stage.cluster.traces("scheduler")).as("it has the lock").isEqualTo(3);
        assertThat(a.leads()).isFalse();
        assertThat(a.led).isEmpty();

        a.client.nodes(0, 1).forEach(node -> node.answerAcquires(request -> null));
        stage.advance(seconds(1));
        stage.awaitWork(a, 1);

        assertThat(a.leads()).isTrue();
    }

    @Test
    void whoIsClosedBeforeItIsAnnouncedGivesTheLockBack() {
        Stage.Actor a = unannounced();

        CompletableFuture<Void> closed = a.candidacy.closeAsync();
        stage.advance(seconds(1));

        assertThat(closed).isDone();
        assertThat(a.led).isEmpty();
        assertThat(stage.cluster.traces("scheduler")).isZero();
    }

    /** The thread of the work may start later than the end comes. */
    @Test
    void workThatHasNotBegunBeforeTheEndDoesNotBegin() {
        Stage.Actor a = stage.actor("a");
        a.part = leadership -> {};
        List<Runnable> threads = new ArrayList<>();
        a.client.machine().threads((thread, work) -> threads.add(work));
        a.stand();
        stage.advance(millis(10));
        assertThat(threads).hasSize(1);
        CompletableFuture<Void> closed = a.candidacy.closeAsync();
        stage.advance(millis(10));

        threads.get(0).run();
        stage.advance(millis(10));

        assertThat(a.led).isEmpty();
        assertThat(closed).isDone();
    }

    // ---- what is wrong is said at once

    @Test
    void aCandidatesNameHasItsRules() {
        Election election = stage.onlooker().election("x");

        for (String wrong : List.of("", " a", "a ", "a\nb", "a\u200Bb", "\uD800", "x".repeat(101), "ü".repeat(51))) {
            assertThatThrownBy(() -> election.candidateName(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("candidateName is '")
                    .hasMessageContaining("but must have 1 to 100 bytes of UTF-8");
        }
        assertThat(election.candidateName("ü".repeat(50)).candidateName()).hasSize(50);
        assertThat(election.candidateName()).as("unless set").isEqualTo("onlooker");
    }

    @Test
    void aTtlAndANameAndAnIntervalHaveTheirLimits() {
        assertThatThrownBy(() -> stage.onlooker().election("")).isInstanceOf(IllegalArgumentException.class);
        Election election = stage.onlooker().election("x");
        assertThatThrownBy(() -> election.ttl(millis(49)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl is 49 ms");
        for (Duration wrong : List.of(millis(9), Duration.ofHours(2), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> election.observe(wrong, leader -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("interval is");
        }
    }

    @Test
    void aClientThatIsClosedSaysSo() {
        Stage.Actor a = stage.actor("a");
        a.client.holdfast().close();

        assertThatThrownBy(() -> a.election.stand(a)).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> a.election.leader()).isInstanceOf(HoldfastClosedException.class);
        assertThatThrownBy(() -> a.election.observe(leader -> {})).isInstanceOf(HoldfastClosedException.class);
    }

    @Test
    void theResourceNameIsThatOfTheLock() {
        stage.leader("a");

        assertThat(stage.cluster
                        .server(0)
                        .state(FakeCluster.resource("scheduler"))
                        .holders())
                .hasSize(1);
    }
}
