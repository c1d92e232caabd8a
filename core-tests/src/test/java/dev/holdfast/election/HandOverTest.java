package dev.holdfast.election;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaderships that go to a named candidate, and what a leader leaves to the next. */
@Timeout(60)
class HandOverTest {

    private final Stage stage = new Stage(3);
    private final Stage.Actor a = stage.leader("a");
    private final Stage.Actor b = inLine("b");
    private final Stage.Actor c = inLine("c");
    private final Stage.Actor d = inLine("d");

    @AfterEach
    void close() {
        stage.close();
    }

    private Stage.Actor inLine(String name) {
        stage.advance(millis(10));
        Stage.Actor actor = stage.actor(name).stand();
        stage.advance(millis(10));
        return actor;
    }

    /** The leader of a later term. */
    private Leadership awaitNext(Leadership before) {
        List<Stage.Actor> actors = List.of(a, b, c, d);
        stage.until(() -> actors.stream()
                .flatMap(actor -> actor.led.stream())
                .anyMatch(leadership -> leadership.term() > before.term()));
        return actors.stream()
                .flatMap(actor -> actor.led.stream())
                .filter(leadership -> leadership.term() > before.term())
                .findFirst()
                .orElseThrow();
    }

    private <T> T real(CompletionStage<T> stageOfIt) {
        CompletableFuture<T> future = stageOfIt.toCompletableFuture();
        stage.until(future::isDone);
        return future.join();
    }

    @Test
    void theNamedOneLeadsNextAndThoseBeforeItMakeWayWithoutLeading() {
        assertThat(real(a.leadership().handOverTo("d"))).isEqualTo(ReleaseOutcome.RELEASED);

        stage.awaitWork(d, 1);

        assertThat(a.leadership().isLeader()).isFalse();
        assertThat(a.interrupts).hasValue(1);
        assertThat(b.led).isEmpty();
        assertThat(c.led).isEmpty();
        assertThat(d.leadership().term()).isGreaterThan(a.leadership().term() + 2);

        d.exit();
        stage.awaitWork(a, 2);
        a.exit();
        stage.awaitWork(b, 1);
    }

    @Test
    void aHandOverIsForgottenOnceSomebodyLeads() {
        real(a.leadership().handOverTo("b"));
        stage.awaitWork(b, 1);
        b.exit();

        stage.awaitWork(c, 1);
        assertThat(d.led).isEmpty();
    }

    @Test
    void whoIsNotThereHoldsNobodyUpForLongerThanOneWalkAlongTheLine() {
        real(a.leadership().handOverTo("nobody"));

        Leadership next = awaitNext(a.led.get(0));

        assertThat(next.term())
                .as("b, c and d make way, and a if it is in line again")
                .isBetween(a.led.get(0).term() + 4, a.led.get(0).term() + 5);
        assertThat(stage.cluster.world().elapsed()).isLessThan(seconds(1));
    }

    @Test
    void oneThatIsAloneLeadsAgainThoughItHandedOver() {
        for (Stage.Actor other : new Stage.Actor[] {b, c, d}) {
            stage.cluster.await(other.candidacy.closeAsync());
        }
        real(a.leadership().handOverTo("nobody"));

        stage.awaitWork(a, 2);
    }

    @Test
    void theWorkItselfMayHandOver() {
        a.part = leadership -> leadership.handOverTo("c");
        a.exit();
        stage.awaitWork(b, 1);
        b.exit();
        stage.awaitWork(c, 1);
        c.exit();
        stage.awaitWork(d, 1);
        d.exit();

        stage.awaitWork(c, 2); // a was elected again, and handed over to c: b made way

        assertThat(b.led).hasSize(1);
        assertThat(a.led).hasSize(2);
    }

    @Test
    void aSecondHandOverToTheSameNameIsAWalkOfItsOwn() {
        real(a.leadership().handOverTo("nobody"));
        Leadership second = awaitNext(a.led.get(0));
        real(second.handOverTo("nobody"));

        assertThat(awaitNext(second).term()).isGreaterThan(second.term() + 3);
    }

    @Test
    void aSuccessorThatCrashesOnItsTurnHoldsUpTheLineForATtlAtMost() {
        d.client.kill();
        real(a.leadership().handOverTo("d"));

        stage.pass(() -> b.leads() || c.leads() || a.leads(), Stage.TTL.plusSeconds(1));
    }

    @Test
    void itIsRefusedToHandOverToNobodyOrToItself() {
        Leadership leadership = a.leadership();
        assertThatThrownBy(() -> leadership.handOverTo("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("candidateName is 'a', which is this leader");
        assertThatThrownBy(() -> leadership.handOverTo("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(leadership.isLeader()).isTrue();
    }

    // ---- state

    @Test
    void theNextLeaderFindsWhatTheLastOneWrote() {
        assertThat(real(a.leadership().writeStateAsync("step 1"))).isEqualTo(WriteOutcome.WRITTEN);
        CompletionStage<WriteOutcome> second = a.leadership().writeStateAsync("step 2");
        CompletionStage<WriteOutcome> third = a.leadership().writeStateAsync("step 3\nwith a second line");
        real(a.leadership().handOverTo("c"));
        stage.awaitWork(c, 1);

        assertThat(real(second)).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(real(third)).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(a.leadership().state()).isEqualTo("step 3\nwith a second line");
        assertThat(c.leadership().state()).isEqualTo("step 3\nwith a second line");
    }

    @Test
    void aCrashedLeadersStateIsThere() {
        real(a.leadership().writeStateAsync("step 7"));
        a.client.kill();
        stage.pass(b::leads, Stage.TTL.plusSeconds(1));
        stage.awaitWork(b, 1);

        assertThat(b.leadership().state()).isEqualTo("step 7");
    }

    @Test
    void theWorkMayWriteAndWait() {
        AtomicReference<WriteOutcome> outcome = new AtomicReference<>();
        a.part = leadership -> {
            outcome.set(leadership.writeState("done"));
            a.awaitExit();
        };
        a.exit();
        stage.awaitWork(b, 1);
        b.exit();
        stage.awaitWork(c, 1);
        c.exit();
        stage.awaitWork(d, 1);
        d.exit();
        stage.until(() -> outcome.get() != null);

        assertThat(outcome).hasValue(WriteOutcome.WRITTEN);
    }

    @Test
    void whoLeadsNoMoreWritesNothing() {
        Leadership over = a.leadership();
        real(over.stepDown());
        stage.awaitWork(b, 1);

        assertThat(real(over.writeStateAsync("late"))).isEqualTo(WriteOutcome.LOST);
        assertThat(b.leadership().state()).isEmpty();
    }

    @Test
    void aStateHasItsLimits() {
        Leadership leadership = a.leadership();
        assertThatThrownBy(() -> leadership.writeStateAsync("ü".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state has 514 bytes of UTF-8, but may have 512");
        assertThatThrownBy(() -> leadership.writeStateAsync("\uD800"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a surrogate pair");
        assertThat(real(leadership.writeStateAsync("ü".repeat(256)))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(real(leadership.writeStateAsync(""))).isEqualTo(WriteOutcome.WRITTEN);
    }
}
