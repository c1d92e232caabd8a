package dev.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.history.Finding.Kind;
import dev.holdfast.testkit.history.Finding.Promise;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each check finds the violation that was planted for it, and nothing in a history without one. */
class HistoryCheckerTest {

    private final Story story = new Story();

    private void onlyFinds(Kind kind) {
        assertThat(story.checked().findings()).extracting(Finding::kind).containsExactly(kind);
    }

    private void findsNothing() {
        assertThat(story.checked().findings()).isEmpty();
    }

    // ---- 1: tokens

    @Test
    void aTokenThatDoesNotRiseIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2);
        story.ex("b").asked(2.5).got(3, 10, 5).releasing(4);
        onlyFinds(Kind.TOKEN_NOT_ABOVE);
        assertThat(story.checked().findings().get(0).events()).hasSize(3);
    }

    @Test
    void aTokenBelowAnEarlierOneIsFoundThroughLeasesThatConflictWithNeither() {
        story.attempt("a", LockMode.PR).asked(0).got(1, 12, 3).releasing(2);
        story.attempt("b", LockMode.CR).asked(2).got(2.1, 5, 3).releasing(2.5);
        story.attempt("c", LockMode.EX).asked(2.6).got(2.7, 11, 4).releasing(3);
        onlyFinds(Kind.TOKEN_NOT_ABOVE);
    }

    @Test
    void tokensOfLeasesThatDoNotConflictOrOverlapInTimeNeedNotRise() {
        story.attempt("a", LockMode.PR).asked(0).got(1, 12, 3).releasing(2);
        story.attempt("b", LockMode.PR).asked(2.5).got(3, 11, 5).releasing(4);
        story.ex("c").asked(0.5).got(5, 10, 7).releasing(6);
        findsNothing();
    }

    @Test
    void leasesWithoutTokensAreNotCompared() {
        story.ex("a").asked(0).got(1, 0, 3).releasing(2);
        story.ex("b").asked(2.5).got(3, 0, 5).releasing(4);
        findsNothing();
    }

    // ---- 2: the guarded row

    @Test
    void aStaleWriteAtTheGuardedRowIsFound() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .wrote(5, ResourceCopy.GUARDED, 2, 2)
                .lost(5);
        story.ex("b")
                .asked(2.5)
                .got(3, 11, 5)
                .wrote(4, ResourceCopy.GUARDED, 1, 1)
                .releasing(4.5);
        onlyFinds(Kind.STALE_AT_GUARD);
    }

    @Test
    void anUpdateLostAtTheGuardedRowIsFound() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .wrote(1.5, ResourceCopy.GUARDED, 1, 1)
                .releasing(2);
        story.ex("b")
                .asked(2.5)
                .got(3, 11, 5)
                .wrote(4, ResourceCopy.GUARDED, 2, 1)
                .releasing(4.5);
        onlyFinds(Kind.LOST_AT_GUARD);
    }

    // ---- 3: belief

    @Test
    void twoThatBelieveInConflictingLeasesAreFound() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2.9);
        story.ex("b").asked(0).got(2, 11, 5).releasing(4);
        onlyFinds(Kind.DOUBLE_HOLDER);
        assertThat(story.checked().findings().get(0).text()).contains("900 ms");
    }

    @Test
    void beliefEndsWithTheDeadlineTheReleaseOrTheLoss() {
        story.ex("a").asked(0).got(1, 10, 2).releasing(9);
        story.ex("b").asked(0).got(2, 11, 9).releasing(3);
        story.ex("c").asked(0).got(3, 12, 9).lost(4);
        story.ex("d").asked(0).got(4, 13, 9).releasing(5);
        findsNothing();
    }

    @Test
    void anExtensionLengthensBelief() {
        story.ex("a").asked(0).got(1, 10, 2).extended(1.5, 4).releasing(9);
        story.ex("b").asked(0).got(3, 11, 9).releasing(4);
        onlyFinds(Kind.DOUBLE_HOLDER);
    }

    @Test
    void anExtensionAfterTheDeadlineMakesBeliefAnew() {
        story.ex("a").asked(0).got(1, 10, 2).extended(5, 7).releasing(9);
        story.ex("b").asked(0).got(2, 11, 9).releasing(4);
        findsNothing();
        story.ex("c").asked(0).got(6, 12, 9).releasing(8);
        onlyFinds(Kind.DOUBLE_HOLDER);
    }

    @Test
    void aLongBeliefIsFoundBehindAShortOne() {
        story.attempt("a", LockMode.PR).asked(0).got(1, 10, 9).releasing(9);
        story.attempt("b", LockMode.PR).asked(0).got(1.5, 11, 2).releasing(2);
        story.ex("c").asked(0).got(3, 12, 5).releasing(4);
        onlyFinds(Kind.DOUBLE_HOLDER);
    }

    @Test
    void modesThatFitTogetherMayBeHeldTogether() {
        story.attempt("a", LockMode.PR).asked(0).got(1, 10, 9).releasing(8);
        story.attempt("b", LockMode.CR).asked(0).got(1, 11, 9).releasing(8);
        story.attempt("c", LockMode.NL).asked(0).got(1, 0, 9).releasing(8);
        findsNothing();
    }

    @Test
    void aHolderOfALockAmongSeveralOverlapsNobodyElse() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2.9);
        story.ex("b").asked(0).together(0).got(2, 11, 5).releasing(4);
        onlyFinds(Kind.DOUBLE_HOLDER);
    }

    @Test
    void moreHoldersThanPermitsAreFound() {
        story.permit("a", 0, 2).got(1, 0, 9).releasing(5);
        story.permit("b", 0, 2).got(2, 0, 9).releasing(6);
        story.permit("c", 0, 2).got(5, 0, 9).releasing(7);
        findsNothing();
        story.permit("d", 0, 2).got(5.5, 0, 9).releasing(7);
        assertThat(story.checked().findings())
                .isNotEmpty()
                .allMatch(finding -> finding.kind() == Kind.TOO_MANY_HOLDERS);
        assertThat(story.checked().findings().get(0).text()).isEqualTo("3 holders of 2 permits");
    }

    @Test
    void aPermitEndsWithItsDeadline() {
        story.permit("a", 0, 1).got(1, 0, 2).lost(5);
        story.permit("b", 0, 1).got(2, 0, 4).releasing(3);
        findsNothing();
    }

    // ---- 8: seals

    @Test
    void workThatIsDoneAgainAfterItsSealIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2).sealed(2.1, 12);
        story.ex("b").asked(2.2).got(3, 11, 5).releasing(4);
        onlyFinds(Kind.DONE_AGAIN);
        assertThat(story.checked().findings().get(0).events()).hasSize(3);
    }

    @Test
    void workThatWasAskedForBeforeTheSealOrAfterItsTimeMayBeDone() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2).sealed(2.1, 4);
        story.ex("b").asked(2).got(3, 11, 5).releasing(3.5);
        story.ex("c").asked(2.2).got(4.5, 12, 6).releasing(5);
        findsNothing();
    }

    // ---- 4: order

    @Test
    void aNewcomerThatOvertakesAWaiterIsFound() {
        story.ex("a").asked(0).queued(1).got(5, 11, 7).releasing(6);
        story.ex("b").asked(2).got(3, 10, 5).releasing(4);
        onlyFinds(Kind.OVERTAKEN);
    }

    @Test
    void whoGaveUpOrWasNotYetQueuedIsNotOvertaken() {
        story.ex("a").asked(0).queued(2.5).got(5, 11, 7).releasing(6);
        story.ex("b").asked(2).got(3, 10, 5).releasing(4);
        story.ex("c").asked(0).queued(1).gaveUp(3.5);
        story.attempt("d", LockMode.NL).asked(3.5).got(3.6, 0, 4).releasing(4);
        findsNothing();
    }

    // ---- 5: progress

    @Test
    void whoWaitsForSeveralLocksOrForAPermitMayLeaveOneFree() {
        story.ex("a").asked(0).together(0).got(5, 10, 7).releasing(6);
        story.permit("b", 0, 1).got(9, 0, 12).releasing(10);
        findsNothing();
    }

    @Test
    void aLockThatIsFreeTooLongWhileSomebodyWaitsIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2);
        story.ex("b").asked(1).got(5.5, 11, 7).releasing(6);
        onlyFinds(Kind.FREE_TOO_LONG);
        assertThat(story.checked().longestFreeNanos()).isEqualTo(Story.nanos(3.5));
        assertThat(story.checked().longestWaitNanos()).isEqualTo(Story.nanos(4.5));
    }

    @Test
    void whoGivesUpWithoutEverGettingAFreeLockIsFoundToo() {
        story.ex("a").asked(1).gaveUp(5);
        onlyFinds(Kind.FREE_TOO_LONG);
    }

    @Test
    void aLockThatIsHeldOrWantedByAnotherFirstIsNotFree() {
        story.ex("a").asked(0).got(1, 10, 9).releasing(8);
        story.ex("b").asked(1).gaveUp(6);
        story.ex("c").asked(1).queued(1.1).gaveUp(10);
        story.attempt("d", LockMode.PR).asked(1.5).got(11, 11, 13).releasing(12);
        findsNothing();
    }

    // ---- 6: nothing is left

    @Test
    void whatIsLeftIsFound() {
        story.left(9, "lock:x");
        onlyFinds(Kind.LEFT_BEHIND);
    }

    @Test
    void anAttemptAndALeaseWithoutEndAreFoundUnlessTheirClientWasKilled() {
        story.ex("a").asked(0);
        story.ex("a").asked(1).got(2, 10, 3);
        assertThat(story.checked().findings())
                .extracting(Finding::kind)
                .containsOnly(Kind.WITHOUT_END)
                .hasSize(2);
        story.killed(4, "a");
        findsNothing();
    }

    // ---- 7: the row without a guard

    @Test
    void aStaleWriteAndTheUpdateThatItLosesAreCounted() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .wrote(5, ResourceCopy.UNGUARDED, 2, 1)
                .lost(5);
        story.ex("b")
                .asked(2.5)
                .got(3, 11, 5)
                .wrote(4, ResourceCopy.UNGUARDED, 1, 1)
                .releasing(4.5);
        HistoryReport report = story.checked();
        assertThat(report.count(Kind.STALE_WRITE)).isOne();
        assertThat(report.count(Kind.LOST_UPDATE)).isOne();
        assertThat(report.violations(Promise.ALWAYS, Promise.BOUNDED_CLOCKS, Promise.QUIET))
                .isEmpty();
    }

    @Test
    void withoutTokensTheLeaseThatWasGotFirstIsTheStaleOne() {
        story.ex("a")
                .asked(0)
                .got(1, 0, 3)
                .wrote(5, ResourceCopy.UNGUARDED, 2, 2)
                .lost(5);
        story.ex("b")
                .asked(2.5)
                .got(3, 0, 5)
                .wrote(4, ResourceCopy.UNGUARDED, 1, 1)
                .releasing(4.5);
        onlyFinds(Kind.STALE_WRITE);
    }

    @Test
    void lostUpdatesAreTheWritesLessTheValueThoughSomeWritesWereNotWrittenDown() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .wrote(1.5, ResourceCopy.UNGUARDED, 4, 4)
                .releasing(2);
        story.ex("b")
                .asked(2.5)
                .got(3, 11, 5)
                .wrote(4, ResourceCopy.UNGUARDED, 9, 7)
                .releasing(4.5);
        story.ex("c")
                .asked(5)
                .got(5.5, 12, 7)
                .wrote(6, ResourceCopy.UNGUARDED, 10, 9)
                .releasing(6.5);
        HistoryReport report = story.checked();
        assertThat(report.findings(Kind.LOST_UPDATE))
                .extracting(Finding::weight)
                .containsExactly(2L, -1L);
        assertThat(report.count(Kind.LOST_UPDATE)).isOne();
    }

    // ---- and all together

    @Test
    void eventsAreCounted() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 2)
                .extended(1.5, 3)
                .wrote(1.6, ResourceCopy.GUARDED, 1, 1)
                .releasing(2);
        story.ex("b")
                .asked(2.5)
                .got(3, 11, 5)
                .refused(4)
                .wrote(4, ResourceCopy.UNGUARDED, 1, 1)
                .lost(4.5);
        story.ex("b").asked(5).gaveUp(5.1);
        assertThat(story.checked().counts()).isEqualTo(new HistoryReport.Counts(3, 2, 1, 1, 1, 1, 1, 1, 0, 0));
    }

    @Test
    void aViolationIsToldWithItsEvents() {
        story.ex("a").asked(0).got(1, 10, 3).releasing(2.9);
        story.ex("b").asked(0).got(2, 11, 5).releasing(4);
        assertThat(story.checked().toString())
                .contains("DOUBLE_HOLDER: b#2 lock EX while a#1 lock EX had 900 ms left")
                .contains("\n    1000000000 got a 1 lock EX 10 3000000000\n");
    }

    /** 200,000 attempts that take turns, and in the middle of them one that does not. */
    @Test
    void oneDoubleHolderAmongManyIsFoundInTimeNLogN() {
        Random random = new Random(1);
        double now = 0;
        for (int i = 1; i <= 200_000; i++) {
            Story.Teller teller = story.attempt("c" + i % 50, i % 3 == 0 ? LockMode.PW : LockMode.EX)
                    .asked(now)
                    .got(now + 0.1, i, now + 2.1)
                    .wrote(now + 0.2, ResourceCopy.GUARDED, i, i)
                    .wrote(now + 0.3, ResourceCopy.UNGUARDED, i, i);
            if (random.nextBoolean()) {
                teller.extended(now + 1, now + 3);
            }
            teller.releasing(now + (i == 100_000 ? 1.7 : 1.5));
            now += 1.5;
        }
        onlyFinds(Kind.DOUBLE_HOLDER);
    }
}
