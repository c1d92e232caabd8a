package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The table with a clock that the test moves: properties that cannot be tested on every kind of node, such as the exact millisecond of an expiry. The
 * contract of all nodes tests the rest.
 */
class LockTableTest {

    private static final long RETENTION = 1_000_000;
    private static final long START = 1_700_000_000_000L;
    private static final long BASE = (START / 1000) << 20;

    private final LockTable table = new LockTable(RETENTION, 0);
    private final List<Push> pushes = new ArrayList<>();
    private long now = START;

    private static OwnerId owner(long ticketTime) {
        return new OwnerId("client~00000000", ticketTime, 0);
    }

    private AcquireAnswer acquire(long ticket, LockMode mode, long ttl, boolean queue, long waiterTtl) {
        return table.acquire(
                new AcquireRequest(
                        "x",
                        owner(ticket),
                        mode,
                        new AcquireRequest.Terms(ttl, waiterTtl, 1),
                        queue,
                        AcquireRequest.Update.NONE),
                now,
                pushes::add);
    }

    private AcquireAnswer acquire(long ticket, long ttl) {
        return acquire(ticket, LockMode.EX, ttl, false, ttl);
    }

    private AcquireAnswer queue(long ticket, long waiterTtl) {
        return acquire(ticket, LockMode.EX, 1_000, true, waiterTtl);
    }

    private AcquireAnswer floor(long ticket, long floor, boolean heal) {
        return table.acquire(
                new AcquireRequest(
                        "x",
                        owner(ticket),
                        LockMode.EX,
                        new AcquireRequest.Terms(1_000, 1_000, 1),
                        false,
                        new AcquireRequest.Update(floor, heal, null)),
                now,
                pushes::add);
    }

    private ReleaseAnswer release(long ticket, long bury, long seal) {
        return table.release(
                new ReleaseRequest("x", owner(ticket), bury, seal == 0 ? null : Seal.now(owner(ticket), seal)),
                now,
                pushes::add);
    }

    private ResourceState state() {
        return table.inspect("x", now);
    }

    @Test
    void aVoteEndsAtItsVeryMillisecond() {
        acquire(1, 100);

        now += 99;
        assertThat(acquire(2, 100)).isInstanceOf(Denied.class);
        now += 1;
        assertThat(acquire(2, 100)).isInstanceOf(Granted.class);
    }

    @Test
    void prolongingCountsFromNowAndNeverShortens() {
        acquire(1, 100);
        now += 50;
        acquire(1, 100);
        assertThat(state().holders().get(0).remainingMillis()).hasValue(100);

        acquire(1, 10);

        assertThat(state().holders().get(0).remainingMillis()).hasValue(100);
    }

    @Test
    void aClockThatIsSetBackLengthensAVoteHere() {
        acquire(1, 100);
        now -= 10_000;

        assertThat(acquire(2, 100)).isInstanceOf(Denied.class);
        acquire(1, 100);
        assertThat(state().holders().get(0).remainingMillis()).hasValue(10_100);
    }

    @Test
    void aPlaceEndsAtItsVeryMillisecondAndAskingAgainMovesItsEnd() {
        acquire(1, 10_000);
        queue(2, 100);
        now += 50;
        queue(2, 100);
        now += 99;
        assertThat(state().waiters()).hasSize(1);
        now += 1;
        assertThat(state().waiters()).isEmpty();
    }

    @Test
    void theFirstLifeOfAPromotedVoteIsTheShorterOfTtlAndWaiterTtl() {
        acquire(1, 10_000);
        acquire(2, LockMode.EX, 1_000, true, 300);
        release(1, 0, 0);
        assertThat(state().holders().get(0).remainingMillis()).hasValue(300);

        release(2, 0, 0);
        acquire(3, 10_000);
        acquire(4, LockMode.EX, 200, true, 300);
        release(3, 0, 0);
        assertThat(state().holders().get(0).remainingMillis()).hasValue(200);
    }

    @Test
    void aQueuedAnswerBearsTheFenceBeforeItsOwnPromotion() {
        acquire(1, 100);
        Queued first = (Queued) queue(2, 1_000);
        assertThat(first.fence()).isEqualTo(BASE + 1);
        now += 100;

        Queued second = (Queued) queue(3, 1_000);

        assertThat(second.fence()).isEqualTo(BASE + 1);
        assertThat(pushes).last().isEqualTo(new Push.Granted("x", owner(2), BASE + 2, null));
        assertThat(second.remainingMillis())
                .as("of the vote that was just made")
                .isEqualTo(1_000);
        assertThat(second.place()).isEqualTo(2);
    }

    @Test
    void anAbsentFenceIsBasedOnTheSecondAndForgottenAfterItsRetention() {
        acquire(1, 10);
        release(1, 0, 0);
        assertThat(table.size()).isEqualTo(1);
        assertThat(state().fence()).isEqualTo(BASE + 1);

        now += RETENTION - 1;
        assertThat(state().fence()).isEqualTo(BASE + 1);
        now += 1;
        assertThat(state().fence()).isZero();
        assertThat(table.size()).isZero();
        assertThat(((Granted) acquire(2, 10)).fence()).isEqualTo(((now / 1000) << 20) + 1);
    }

    @Test
    void whatIsUsedIsNotForgotten() {
        acquire(1, 10);
        for (int i = 0; i < 5; i++) {
            now += RETENTION - 1;
            acquire(2 + i, 10);
        }

        assertThat(state().fence()).isEqualTo(BASE + 6);
    }

    @Test
    void aFenceThatIsAbsentIsNotMadeByAskingForIt() {
        floor(1, BASE + 5, false);
        release(2, 0, 0);
        state();

        assertThat(table.size()).isZero();
    }

    @Test
    void healingAnAbsentFenceKeepsTheLargerOfFloorAndTime() {
        assertThat(((Granted) floor(1, 7, true)).fence()).isEqualTo(BASE);
        release(1, 0, 0);
        now += RETENTION;
        long later = (now / 1000) << 20;
        assertThat(((Granted) floor(2, later + 9, true)).fence()).isEqualTo(later + 9);
        assertThat(((Granted) floor(2, later + 11, true)).fence()).isEqualTo(later + 11);
    }

    /** Returns the table of a node that restarts at once with the state that it had after the first of two tokens. */
    private LockTable rolledBack() {
        acquire(1, 10);
        release(1, 0, 0);
        LockTable kept = new LockTable(RETENTION, 0);
        kept.acquire(AcquireRequest.forVote("x", owner(1), LockMode.EX, 10, 10, 1), now, pushes::add);
        kept.release(new ReleaseRequest("x", owner(1), 0), now, pushes::add);
        acquire(2, 10);
        assertThat(state().fence()).isEqualTo(BASE + 2);
        kept.restarted(now);
        return kept;
    }

    @Test
    void whatIsRememberedAfterARestartIsNotBelieved() {
        LockTable kept = rolledBack();

        AcquireAnswer next =
                kept.acquire(AcquireRequest.forVote("x", owner(3), LockMode.EX, 10, 10, 1), now, pushes::add);

        assertThat(((Granted) next).fence())
                .isEqualTo(FenceFromTime.ofRun(now) + 1)
                .isGreaterThan(BASE + 2);
    }

    @Test
    void everyRestartWithinASecondRaisesTheTokens() {
        long last = 0;
        for (int run = 0; run < 20; run++) {
            LockTable next = new LockTable(RETENTION, now);
            for (int ticket = 1; ticket < 5; ticket++) {
                Granted granted = (Granted) next.acquire(
                        AcquireRequest.forVote("x", owner(ticket), LockMode.CR, 10, 10, 100), now, pushes::add);
                assertThat(granted.fence() - 100).as("run %d", run).isGreaterThanOrEqualTo(last);
                last = granted.fence();
            }
            now++;
        }
    }

    @Test
    void anOlderFenceThanTheFloorHealsAndIsBasedAnew() {
        LockTable kept = rolledBack();

        AcquireAnswer healed = kept.acquire(
                AcquireRequest.forVote("x", owner(2), LockMode.EX, 1_000, 1_000, 1)
                        .extending(BASE + 2, null),
                now,
                pushes::add);

        assertThat(((Granted) healed).fence()).isEqualTo(FenceFromTime.ofRun(now));
    }

    @Test
    void whoIsGrantedFromTheQueueAfterARestartGetsANewBaseToo() {
        acquire(1, 1_000);
        queue(2, 1_000);
        now += 500;
        table.restarted(now - 100);

        Queued queued = (Queued) queue(3, 1_000);
        release(1, 0, 0);

        long base = FenceFromTime.ofRun(now - 100);
        assertThat(queued.fence()).isEqualTo(base);
        assertThat(pushes).last().isEqualTo(new Push.Granted("x", owner(2), base + 1, null));
    }

    /** The fences of a later run that starts to count earlier would not be above such a base. */
    @Test
    void aBaseOfTheFutureCountsAsTheOneOfThePresent() {
        table.restarted(now + 60_000);

        assertThat(((Granted) acquire(1, 1_000)).fence()).isEqualTo(FenceFromTime.ofRun(now) + 1);
    }

    @Test
    void theFencesOfAnOnlyNodeFollowItsClock() {
        table.followClock();
        acquire(1, 1_000);
        release(1, 0, 0);
        now += 10_000;

        assertThat(((Granted) acquire(2, 1_000)).fence()).isEqualTo(FenceFromTime.ofRun(now) + 1);
    }

    @Test
    void aVoteThatOutlivesARestartIsRaisedToTheFloorAndNoHigher() {
        acquire(1, 1_000);
        table.restarted(now);

        assertThat(((Granted) acquire(1, 1_000)).fence()).isEqualTo(BASE + 1);
        assertThat(((Granted) floor(1, BASE + 7, false)).fence()).isEqualTo(BASE + 7);
        assertThat(state().fence()).isEqualTo(BASE + 7);
    }

    @Test
    void aRunThatBeganBeforeTheFenceChangesNothing() {
        table.restarted(now - 60_000);
        acquire(1, 10);
        release(1, 0, 0);
        table.restarted(now - 1_000);

        assertThat(((Granted) acquire(2, 10)).fence()).isEqualTo(BASE + 2);
    }

    @Test
    void buriedAndSealedEndInTime() {
        release(1, 100, 0);
        assertThat(acquire(1, 10)).isInstanceOf(Denied.class);
        now += 100;
        assertThat(acquire(1, 10)).isInstanceOf(Granted.class);

        release(1, 0, 100);
        assertThat(acquire(2, 10)).isEqualTo(new Sealed(new Seal(owner(1).toString(), 0, 100)));
        now += 99;
        assertThat(acquire(2, 10)).isEqualTo(new Sealed(new Seal(owner(1).toString(), 99, 1)));
        now += 1;
        assertThat(acquire(2, 10)).isInstanceOf(Granted.class);
    }

    @Test
    void aSealMayBeLengthenedNotShortened() {
        release(1, 0, 100);
        release(1, 0, 10);
        assertThat(state().seal().remainingMillis()).hasValue(100);
        release(1, 0, 200);
        assertThat(state().seal().remainingMillis()).hasValue(200);
    }

    @Test
    void whatHasExpiredLeavesNothing() {
        acquire(1, 100);
        queue(2, 100);
        release(3, 100, 0);
        now += RETENTION + 200;

        table.sweep(now);

        assertThat(table.size()).isZero();
    }

    @Test
    void aTableThatForgetsAtOnceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockTable(0, 0))
                .withMessageContaining("fenceRetention is 0 ms");
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> acquire(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> acquire(1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> acquire(1, LockMode.EX, 1, true, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> floor(1, -1, false));
        assertThatIllegalArgumentException().isThrownBy(() -> release(1, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> release(1, 0, -1));
    }

    /** FAULTS §5: no duration, however large, overflows or creates a vote that has already expired. */
    @Test
    void hugeDurationsAreRefusedRatherThanOverflown() {
        for (long huge : new long[] {(1L << 53) + 1, 1L << 62, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> acquire(1, huge));
            assertThatIllegalArgumentException().isThrownBy(() -> acquire(1, LockMode.EX, 1, true, huge));
            assertThatIllegalArgumentException().isThrownBy(() -> release(1, huge, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> release(1, 0, huge));
        }
        acquire(1, 1L << 40);
        assertThat(state().holders()).hasSize(1);
    }

    /** After any sequence of requests, no two votes conflict, no fence has fallen, no owner has two positions, and no waiter could be granted a vote. */
    @Test
    void randomOperationsKeepWhatMustHold() {
        long seed = 20_260_101;
        SplittableRandom random = new SplittableRandom(seed);
        long highest = 0;
        for (int step = 0; step < 60_000; step++) {
            now += random.nextInt(40);
            OwnerId owner = new OwnerId("client~0000000" + random.nextInt(3), random.nextLong(4), random.nextInt(2));
            LockMode mode = LockMode.values()[random.nextInt(6)];
            if (random.nextInt(3) == 0) {
                table.release(
                        new ReleaseRequest(
                                "x",
                                owner,
                                random.nextInt(4) == 0 ? 50 : 0,
                                random.nextInt(200) == 0 ? Seal.now(owner, 50) : null,
                                random.nextInt(3) == 0 ? new LockValue(1 + random.nextInt(9), 1, "") : null),
                        now,
                        pushes::add);
            } else {
                long floor = random.nextInt(4) == 0 ? table.inspect("x", now).fence() + random.nextInt(3) : 0;
                AcquireAnswer answer = table.acquire(
                        new AcquireRequest(
                                "x",
                                owner,
                                mode,
                                new AcquireRequest.Terms(
                                        1 + random.nextInt(200), 1 + random.nextInt(200), 1 + random.nextInt(3)),
                                random.nextBoolean(),
                                new AcquireRequest.Update(floor, random.nextBoolean(), null)),
                        now,
                        pushes::add);
                if (answer instanceof Queued queued) {
                    assertThat(queued.fence())
                            .as("seed %d, step %d", seed, step)
                            .isGreaterThanOrEqualTo(highest);
                }
            }
            ResourceState state = state();
            String when = "seed " + seed + ", step " + step + ": " + state;
            check(state, when);
            assertThat(state.fence()).as(when).isGreaterThanOrEqualTo(highest);
            highest = Math.max(highest, state.fence());
        }
        assertThat(pushes).hasSizeGreaterThan(3_000);
    }

    private static void check(ResourceState state, String when) {
        List<ResourceState.Holder> holders = state.holders();
        for (int i = 0; i < holders.size(); i++) {
            for (int j = i + 1; j < holders.size(); j++) {
                assertThat(holders.get(i).mode().isCompatibleWith(holders.get(j).mode()))
                        .as(when)
                        .isTrue();
            }
        }
        List<String> owners = holders.stream().map(ResourceState.Holder::owner).toList();
        assertThat(state.waiters()).as(when).noneMatch(waiter -> owners.contains(waiter.owner()));
        assertThat(state.waiters()).as(when).noneMatch(waiter -> waiter.mode() == LockMode.NL);
    }
}
