package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AloneLocksTest {

    private static final OwnerId OWNER = new OwnerId("billing@host~a1b2c3d4", 7, 0);
    private static final long TTL_MILLIS = 30_000;
    private static final Reply LEFT_TO_ANOTHER = new Reply(0);

    private final AloneLocks locks = new AloneLocks();

    private static AcquireCall acquire(LockMode mode, long floor, boolean heal) {
        return new AcquireCall(
                new AcquireRequest(
                        "lock:a",
                        OWNER,
                        mode,
                        new AcquireRequest.Terms(TTL_MILLIS, 10_000, 1),
                        true,
                        new AcquireRequest.Update(floor, heal, null)),
                1_000,
                1);
    }

    private static ReleaseCall release() {
        return new ReleaseCall(new ReleaseRequest("lock:a", OWNER, 0), 1_000, 1);
    }

    private AcquireCall sent() {
        AcquireCall sent = locks.asSent(acquire(LockMode.EX, 0, false));
        assertThat(sent.alone()).isTrue();
        return sent;
    }

    @Test
    void onlyWhatAsksForANewExclusiveVoteIsSentSo() {
        assertThat(List.of(
                        acquire(LockMode.PR, 0, false),
                        acquire(LockMode.NL, 0, false),
                        acquire(LockMode.EX, 5, false),
                        acquire(LockMode.EX, 5, true)))
                .allSatisfy(call -> assertThat(locks.asSent(call)).isSameAs(call));
        assertThat(locks.underWay()).isZero();
        sent();
        assertThat(locks.underWay()).isEqualTo(1);
    }

    @Test
    void onlyAReleaseThatLeavesNothingBehindIsSentSo() {
        ReleaseCall bury = new ReleaseCall(new ReleaseRequest("lock:a", OWNER, 1), 1_000, 1);
        ReleaseCall seal = new ReleaseCall(new ReleaseRequest("lock:a", OWNER, 0, Seal.now(OWNER, 1)), 1_000, 1);
        assertThat(locks.asSent(bury)).isSameAs(bury);
        assertThat(locks.asSent(seal)).isSameAs(seal);
        assertThat(locks.asSent(release()).alone()).isTrue();
        locks.markContended("lock:a");
        assertThat(locks.asSent(release()).alone()).isFalse();
    }

    @Test
    void whatIsAnsweredIsOver() {
        AcquireCall sent = sent();
        Reply fence = new Reply(4711);
        assertThat(sent.instead(fence, locks)).isNull();
        sent.removeFrom(locks);
        assertThat(locks.underWay()).isZero();
    }

    @Test
    void whatWasNotAnsweredIsAskedAgain() {
        AcquireCall sent = sent();
        assertThat(sent.instead(LEFT_TO_ANOTHER, locks)).isEqualTo(acquire(LockMode.EX, 0, false));
        sent.removeFrom(locks);
        assertThat(locks.underWay()).isZero();
        assertThat(locks.asSent(acquire(LockMode.EX, 0, false)).alone()).isFalse();
    }

    /** It would create a vote or a queue entry without an owner. */
    @Test
    void whatIsGivenBackIsNotAskedAgain() {
        AcquireCall sent = sent();
        assertThat(locks.asSent(release()).request().buryMillis()).isZero();
        assertThat(sent.instead(LEFT_TO_ANOTHER, locks)).isNull();
        assertThat(sent.answer(LEFT_TO_ANOTHER)).isEqualTo(new Denied(0, Denied.Reason.BURIED, null, 0));
    }

    @Test
    void aReleaseBesideTheSecondRequestShutsTheDoorBehindIt() {
        AcquireCall sent = sent();
        sent.instead(LEFT_TO_ANOTHER, locks);
        ReleaseCall release = locks.asSent(release());
        assertThat(release.alone()).isFalse();
        assertThat(release.request().buryMillis()).isEqualTo(TTL_MILLIS);
        sent.removeFrom(locks);
        assertThat(locks.asSent(release()).request().buryMillis()).isZero();
    }

    @Test
    void aContendedLockIsExpectedToBeSoUntilItWasFoundUncontendedOften() {
        locks.markContended("lock:a");
        for (int i = 0; i < AloneLocks.CONTENDED_FOR; i++) {
            assertThat(locks.asSent(acquire(LockMode.EX, 0, false)).alone()).isFalse();
            assertThat(locks.asSent(release()).alone()).isFalse();
            locks.found("lock:a", true);
        }
        assertThat(locks.asSent(release()).alone()).isTrue();
        assertThat(locks.asSent(acquire(LockMode.EX, 0, false)).alone()).isTrue();
    }

    @Test
    void anExtensionDoesNotCountAsAnUncontendedLockButShowsContention() {
        AcquireCall extension = acquire(LockMode.EX, 5, true);
        locks.markContended("lock:a");
        for (int i = 0; i < AloneLocks.CONTENDED_FOR; i++) {
            assertThat(extension.instead(new Reply(5), locks)).isNull();
        }
        assertThat(locks.asSent(release()).alone()).isFalse();

        AloneLocks others = new AloneLocks();
        assertThat(extension.instead(new Reply(List.of("GRANTED", "5", "", "0")), others))
                .isNull();
        assertThat(others.asSent(release()).alone()).isFalse();
    }

    @Test
    void locksDoNotSpoilEachOther() {
        IntStream.range(0, 10).forEach(i -> locks.markContended("lock:held-" + i));
        long spoilt = IntStream.range(0, 1_000)
                .filter(i -> {
                    ReleaseRequest request = new ReleaseRequest("lock:orders:" + i, OWNER, 0);
                    return !locks.asSent(new ReleaseCall(request, 1_000, 1)).alone();
                })
                .count();
        assertThat(spoilt).isLessThan(50);
    }

    @Test
    void twoOfOneOwnerAreNotBothSentSo() {
        sent();
        assertThat(locks.asSent(acquire(LockMode.EX, 0, false)).alone()).isFalse();
    }
}
