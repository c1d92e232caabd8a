package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work in the scope of a lock. */
class RunTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private Holdfast real;

    @BeforeEach
    void connect() {
        real = Holdfast.connect("memory:");
    }

    @AfterEach
    void close() {
        real.close();
        assertThat(Thread.interrupted()).as("an interrupt left behind").isFalse();
    }

    @Test
    void theLockIsHeldWhileTheWorkRunsAndFreeAfterwards() throws Exception {
        String result = a.lock("x").call(Duration.ZERO, lease -> {
            assertThat(lease.isHeld()).isTrue();
            assertThat(cluster.traces("x")).isEqualTo(3);
            return "done " + (lease.fencingToken() > 0);
        });

        assertThat(result).isEqualTo("done true");
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void whatTheWorkThrowsPassesUnharmed() {
        IOException thrown = new IOException("disk");

        assertThatThrownBy(() -> a.lock("x").run(Duration.ZERO, lease -> {
                    throw thrown;
                }))
                .isSameAs(thrown)
                .hasNoSuppressedExceptions();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void anErrorPassesUnharmedToo() {
        assertThatThrownBy(() -> a.lock("x").run(Duration.ZERO, lease -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void workThatIsRefusedTheLockDoesNotRun() {
        cluster.client("b").acquire("x");

        assertThatThrownBy(() -> a.lock("x").run(Duration.ZERO, lease -> {
                    throw new AssertionError("it ran");
                }))
                .isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void aLossInterruptsTheWorkAndIsToldInItsPlace() {
        DistributedLock lock = real.lock("x").maxHold(millis(100));

        assertThatThrownBy(() -> lock.run(Duration.ZERO, lease -> new CountDownLatch(1).await()))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("maxHold has passed");
    }

    @Test
    void aLossThatTheWorkDoesNotNoticeIsToldWhenItEnds() {
        DistributedLock lock = real.lock("x").maxHold(millis(100));

        assertThatThrownBy(() -> lock.run(Duration.ZERO, lease -> {
                    while (lease.isHeld() || !Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void whatTheWorkThrowsAfterALossPassesUnharmed() {
        DistributedLock lock = real.lock("x").maxHold(millis(100));
        IOException thrown = new IOException("closed by interrupt");

        assertThatThrownBy(() -> lock.run(Duration.ZERO, lease -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw thrown;
                    }
                }))
                .isSameAs(thrown);
    }

    @Test
    void anInterruptFromElsewhereIsTheWorksOwn() {
        assertThatThrownBy(() -> real.lock("x").run(Duration.ZERO, lease -> {
                    Thread.currentThread().interrupt();
                    new CountDownLatch(1).await(1, TimeUnit.SECONDS);
                }))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptThatTheWorkLeavesSetStaysSet() throws Exception {
        real.lock("x").run(Duration.ZERO, lease -> Thread.currentThread().interrupt());

        assertThat(Thread.interrupted()).isTrue();
    }

    /** The client has not reported the loss yet, because the machine slept. Even so, the work must not count as done under the lock. */
    @Test
    void workThatOutlastedItsLeaseIsNotDoneThoughTheLossWasNotToldYet() {
        AtomicBoolean ended = new AtomicBoolean();

        assertThatThrownBy(() -> a.lock("x").run(Duration.ZERO, lease -> {
                    a.machine().stepWall(seconds(60));
                    ended.set(true);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(ended).isTrue();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void theLeaseIsTheThreadsCurrentOneUntilTheWorkEnds() throws Exception {
        a.lock("x").run(Duration.ZERO, outer -> {
            assertThat(Holdfast.currentLease()).containsSame(outer);
            a.lock("y")
                    .run(
                            Duration.ZERO,
                            inner -> assertThat(Holdfast.currentLease()).containsSame(inner));
            assertThat(Holdfast.currentLease()).containsSame(outer);
            Thread other = new Thread(() -> assertThat(Holdfast.currentLease()).isEmpty(), "other-in-a-test");
            other.start();
            other.join();
        });
        assertThat(Holdfast.currentLease()).isEmpty();
    }

    @Test
    void whatTheWorkThrowsLeavesNoCurrentLease() {
        assertThatThrownBy(() -> a.lock("x").run(Duration.ZERO, lease -> {
                    throw new IOException("disk");
                }))
                .isInstanceOf(IOException.class);
        assertThat(Holdfast.currentLease()).isEmpty();
    }

    @Test
    void workMayReleaseItsLeaseItself() throws Exception {
        a.lock("x").run(Duration.ZERO, lease -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED));
    }
}
