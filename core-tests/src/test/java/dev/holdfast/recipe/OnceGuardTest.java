package dev.holdfast.recipe;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.SealOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that is to be done once. */
class OnceGuardTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicInteger done = new AtomicInteger();
    private Holdfast holdfast;
    private ExecutorService others;

    @BeforeEach
    void connect() {
        holdfast = Holdfast.connect("memory:");
        others = Executors.newCachedThreadPool();
    }

    @AfterEach
    void close() {
        others.shutdownNow();
        holdfast.close();
        assertThat(Thread.interrupted()).as("an interrupt left behind").isFalse();
    }

    @Test
    void theFirstDoesItAndTheSecondFindsItDone() throws Exception {
        OnceGuard once = holdfast.once("message:77", DAY);

        assertThat(once.run(seconds(1), lease -> done.incrementAndGet()))
                .isEqualTo(new OnceGuard.Done<>(true, SealOutcome.SEALED));
        assertThat(once.run(seconds(1), lease -> done.incrementAndGet()))
                .isInstanceOfSatisfying(OnceGuard.AlreadyDone.class, already -> {
                    assertThat(already.by()).isEqualTo(holdfast.client());
                    assertThat(already.ago()).isBetween(Duration.ZERO, seconds(60));
                });

        assertThat(done).hasValue(1);
    }

    @Test
    void itGivesWhatTheWorkGives() throws Exception {
        OnceGuard.Outcome<String> outcome =
                holdfast.once("message:77", DAY).ttl(seconds(5)).call(Duration.ZERO, Lease::name);

        assertThat(outcome).isEqualTo(new OnceGuard.Done<>("message:77", SealOutcome.SEALED));
    }

    @Test
    void theWorkIsAloneWhateverModeTheOptionsSay() throws Exception {
        OnceGuard once = holdfast.once("message:77", DAY).options(options -> options.mode(LockMode.PR));

        OnceGuard.Outcome<Boolean> readerGetsIn = once.call(
                Duration.ZERO,
                lease -> holdfast.lock("message:77").shared().tryAcquire().isHeld());

        assertThat(readerGetsIn).isEqualTo(new OnceGuard.Done<>(false, SealOutcome.SEALED));
    }

    @Test
    void workThatThrowsIsDoneAgain() {
        OnceGuard once = holdfast.once("message:77", DAY);
        IOException thrown = new IOException("disk");

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> once.run(seconds(1), lease -> {
                        done.incrementAndGet();
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        }

        assertThat(done).hasValue(2);
    }

    @Test
    void oneThatComesMeanwhileSkipsItOrWaitsToSeeItDone() throws Exception {
        OnceGuard once = holdfast.once("message:77", DAY);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<OnceGuard.Outcome<Boolean>> first = others.submit(() -> once.run(seconds(1), lease -> {
            begun.countDown();
            mayEnd.await();
        }));
        begun.await();

        assertThat(once.run(Duration.ZERO, lease -> done.incrementAndGet()))
                .isInstanceOfSatisfying(
                        OnceGuard.Busy.class,
                        busy -> assertThat(busy.refusal().message()).contains("held by another"));
        Future<OnceGuard.Outcome<Boolean>> second =
                others.submit(() -> once.run(seconds(10), lease -> done.incrementAndGet()));
        mayEnd.countDown();

        assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(OnceGuard.Done.class);
        assertThat(second.get(10, TimeUnit.SECONDS)).isInstanceOf(OnceGuard.AlreadyDone.class);
        assertThat(done).hasValue(0);
    }

    @Test
    void workThatOutlastsItsLeaseIsSealedAndSaysSo() throws Exception {
        OnceGuard once = holdfast.once("message:77", DAY)
                .options(options -> options.ttl(millis(50)).autoExtend(false));

        OnceGuard.Outcome<Boolean> outcome = once.run(seconds(1), lease -> {
            try {
                lease.lost().toCompletableFuture().get(10, TimeUnit.SECONDS);
                TimeUnit.SECONDS.sleep(10); // until the loss interrupts it
            } catch (InterruptedException e) {
                done.incrementAndGet(); // that was the last step, so the work is done
            }
        });

        assertThat(outcome).isEqualTo(new OnceGuard.Done<>(true, SealOutcome.SEALED_LATE));
        assertThat(once.run(seconds(1), lease -> {})).isInstanceOf(OnceGuard.AlreadyDone.class);
    }

    @Test
    void workThatALossInterruptedIsNotSealed() throws Exception {
        OnceGuard once = holdfast.once("message:77", DAY)
                .options(options -> options.ttl(millis(50)).autoExtend(false));

        assertThatThrownBy(() -> once.run(seconds(1), lease -> TimeUnit.SECONDS.sleep(10)))
                .isInstanceOf(LeaseLostException.class);

        assertThat(holdfast.once("message:77", DAY).run(seconds(1), lease -> {}))
                .isInstanceOf(OnceGuard.Done.class);
    }

    @Test
    void afterTheRetentionItIsForgotten() throws Exception {
        OnceGuard once = holdfast.once("message:77", millis(50));
        once.run(seconds(1), lease -> {});

        OnceGuard.Outcome<Boolean> outcome = once.run(seconds(1), lease -> {});
        long deadline = System.nanoTime() + seconds(10).toNanos();
        while (outcome instanceof OnceGuard.AlreadyDone && System.nanoTime() < deadline) {
            outcome = once.run(seconds(1), lease -> {});
        }

        assertThat(outcome).isInstanceOf(OnceGuard.Done.class);
    }

    @Test
    void retentionHasItsLimits() {
        assertThatThrownBy(() -> holdfast.once("x", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retention is 0 ms, but must be from 1 ms");
        assertThatThrownBy(() -> holdfast.once("x", Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> holdfast.once("", DAY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClientThatIsClosedSaysSo() {
        OnceGuard once = holdfast.once("x", DAY);
        holdfast.close();

        assertThatThrownBy(() -> once.run(seconds(1), lease -> {})).isInstanceOf(HoldfastClosedException.class);
    }
}
