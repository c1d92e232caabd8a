package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.boot.Contexts;
import dev.holdfast.spring.boot.HoldfastProperties;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

/** {@link LockedJob}, and what {@link Locked} methods do that run for too long, time out, or acquire a lock twice. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class JobsTest {

    static class Work {

        private final Holdfast holdfast;
        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch never = new CountDownLatch(1);

        Work(Holdfast holdfast) {
            this.holdfast = holdfast;
        }

        public int runs() {
            return runs.get();
        }

        @Scheduled(cron = "${cron:0 0 3 * * *}")
        @LockedJob(name = "nightly", atMost = "2h")
        public void nightly() {
            runs.incrementAndGet();
        }

        @Scheduled(cron = "0 0 3 * * *", zone = "UTC")
        @Scheduled(cron = "4 0 4 * * *", zone = "Europe/Paris")
        @LockedJob(name = "two times", atMost = "2h")
        public void atTwoTimes() {}

        @LockedJob(value = "explicit", atMost = "2h", atLeast = "4s", ttl = "3s")
        public Duration explicit() {
            return Holdfast.currentLease().orElseThrow().remaining();
        }

        @LockedJob(name = "hangs", atMost = "200ms", atLeast = "50ms")
        public void hangs() throws InterruptedException {
            never.await();
        }

        @Scheduled(cron = "0 0 3 * * *")
        @Locked(name = "twice", onBusy = OnBusy.SKIP)
        public void mayRunTwice() {}

        @Locked(name = "held", maxHold = "200ms")
        public void heldTooLong() throws InterruptedException {
            never.await();
        }

        @Locked(name = "wait", waitFor = "5", onBusy = OnBusy.WAIT)
        public void waits() {}

        @Locked("outer")
        public String outer(Work proxy, boolean reentrant) {
            return reentrant ? proxy.again(null) : proxy.skipped();
        }

        @Locked("outer")
        public CompletableFuture<String> outerStage(Work proxy) {
            return CompletableFuture.completedFuture(proxy.again(null));
        }

        @Locked(name = "outer", reentrant = true)
        public String again(@Nullable Lease lease) {
            return lease.fencingToken() + " " + holdfast.lock("outer").isHeldByThisThread();
        }

        @Locked(name = "outer", onBusy = OnBusy.SKIP)
        public String skipped() {
            return "not reached";
        }

        @Locked(name = "shared", mode = LockMode.PR)
        public String reader(Work proxy) {
            return proxy.writer();
        }

        @Locked(name = "shared", reentrant = true)
        public String writer() {
            return "not reached";
        }

        /** Reads again while another client waits to write. */
        @Locked(name = "shared", mode = LockMode.PR)
        public String readerBehindAWriter(Work proxy) throws InterruptedException {
            CompletableFuture<Acquisition> writer =
                    holdfast.lock("shared").localHandOver(false).tryAcquireAsync(Duration.ofMinutes(1));
            await().until(() -> holdfast.admin().status("shared").waiters().size() == 1);
            try {
                return proxy.readsAgain();
            } finally {
                writer.cancel(true);
            }
        }

        @Locked(name = "shared", mode = LockMode.PR, waitFor = "1s", reentrant = true)
        public String readsAgain() {
            return "read";
        }
    }

    /** The step of a test that uses the application. */
    private interface Use {
        void with(Work work, Holdfast holdfast, ApplicationContext context) throws Exception;
    }

    private static void run(Use use, String... properties) {
        Contexts.inMemory()
                .withBean(Work.class)
                .withPropertyValues(properties)
                .run(context -> use.with(context.getBean(Work.class), context.getBean(Holdfast.class), context));
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 3 * * *, 10000, 1000",
        "*/4 * * * * *, 2000, 500",
        "58 * * * * *, 10000, 1000",
        "'0,3,30 * * * * *', 1500, 375",
        "-, 10000, 1000"
    })
    void e25_aJobIsSafeByDefault(String cron, long atLeastMillis, long waitMillis) {
        run(
                (work, holdfast, context) -> {
                    LockedMethod job =
                            context.getBean(LockedMethods.class).of(Work.class.getMethod("nightly"), Work.class);
                    assertThat(job.atLeast()).hasMillis(atLeastMillis);
                    assertThat(job.waitAtMost(Duration.ZERO)).hasMillis(waitMillis);
                    assertThat(job.onBusy()).isEqualTo(OnBusy.SKIP);
                    assertThat(job.maxHold()).hasHours(2);
                },
                "cron=" + cron);
    }

    @Test
    void twoTimesOfOneJobAreOneSchedule() {
        run((work, holdfast, context) -> assertThat(context.getBean(LockedMethods.class)
                        .of(Work.class.getMethod("atTwoTimes"), Work.class)
                        .atLeast())
                .hasSeconds(2));
    }

    @Test
    void e25_aLateInstanceSkipsAJobThatHasRun() {
        run((work, holdfast, context) -> {
            work.nightly();
            work.nightly();
            assertThat(work.runs()).isEqualTo(1);
            assertThat(holdfast.admin().status("nightly").holders()).hasSize(1);
        });
    }

    @Test
    void aJobHasTheTtlAndTheMinimumOfItsAnnotation() {
        run((work, holdfast, context) -> assertThat(work.explicit()).isGreaterThan(Duration.ofSeconds(3)));
    }

    @Test
    void e25_aRunThatHangsEnds() {
        run((work, holdfast, context) -> {
            assertThatThrownBy(work::hangs).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(work::heldTooLong).isInstanceOf(LeaseLostException.class);
            assertThat(holdfast.lock("held").tryAcquire(Duration.ofSeconds(30)).isHeld())
                    .isTrue();
        });
    }

    @Test
    void e25_aScheduledMethodThatMayRunTwiceIsLogged(CapturedOutput output) {
        run((work, holdfast, context) ->
                assertThat(output).containsOnlyOnce("@Locked method Work.mayRunTwice() is @Scheduled without atLeast"));
    }

    static class Frequent {
        @Scheduled(fixedRate = 1_000)
        @LockedJob(name = "x", atMost = "1m", atLeast = "10s")
        public void rate() {}

        @Scheduled(fixedDelayString = "${no.property:2s}")
        @LockedJob(name = "x", atMost = "1m", atLeast = "10s")
        public void delay() {}

        @Scheduled(cron = "0/3 * * * * *")
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "x", atMost = "1m", atLeast = "10s")
        public void cron() {}

        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(fixedRate = 4, timeUnit = TimeUnit.SECONDS)
        @Locked(name = "x", onBusy = OnBusy.SKIP, atLeast = "10s")
        public void both() {}
    }

    static class Rare {
        @Scheduled(fixedRate = 10_000)
        @LockedJob(name = "x", atMost = "1m", atLeast = "10s")
        public void rate() {}

        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "x", atMost = "23h", atLeast = "10h")
        public void cron() {}

        @LockedJob(name = "x", atMost = "23h", atLeast = "10h")
        public void onRequest() {}
    }

    @Test
    void aLockThatStaysHeldWhenTheNextRunIsDueIsLogged(CapturedOutput output) {
        Contexts.inMemory()
                .withPropertyValues("holdfast.restart-quarantine=10h")
                .withBean(Frequent.class)
                .withBean(Rare.class)
                .run(context -> assertThat(output)
                        .contains("@LockedJob method Frequent.rate() is @Scheduled with runs only 1 s apart, but keeps"
                                + " its lock for at least 10 s, so all instances skip the runs that are due in that time."
                                + " Set atLeast to a little less than the interval.")
                        .contains("@LockedJob method Frequent.delay() is @Scheduled with runs only 2 s apart")
                        .contains("@LockedJob method Frequent.cron() is @Scheduled with runs only 3 s apart")
                        .contains("@Locked method Frequent.both() is @Scheduled with runs only 4 s apart")
                        .doesNotContain("Rare."));
    }

    @Test
    void e25_aCallThatItsOwnThreadBlocksFailsEvenIfItWouldSkip() {
        run((work, holdfast, context) -> {
            assertThatThrownBy(() -> work.outer(work, false))
                    .isInstanceOf(SelfDeadlockException.class)
                    .hasMessageContaining("@Locked method Work.skipped() cannot acquire its lock: lock 'outer' is held")
                    .hasMessageContaining("reentrant = true");
            assertThatThrownBy(() -> work.reader(work))
                    .as("a reader does not become a writer")
                    .isInstanceOf(SelfDeadlockException.class);
        });
    }

    @Test
    void e25_aReentrantCallRunsUnderTheOuterLease() {
        run((work, holdfast, context) -> {
            assertThat(work.outer(work, true)).endsWith(" true");
            assertThat(work.outerStage(work).join()).endsWith(" true");
            assertThat(holdfast.admin().status("outer").holders()).isEmpty();
            assertThat(work.again(null)).as("without an outer call").endsWith(" true");
        });
    }

    @Test
    void aReentrantReaderDoesNotWaitBehindAWriter() {
        run((work, holdfast, context) ->
                assertThat(work.readerBehindAWriter(work)).isEqualTo("read"));
    }

    @Test
    void e25_aNumberWithoutAUnitIsSeconds() {
        run(
                (work, holdfast, context) -> {
                    LockedMethod waits =
                            context.getBean(LockedMethods.class).of(Work.class.getMethod("waits"), Work.class);
                    assertThat(waits.waitFor()).hasSeconds(5);
                    HoldfastProperties properties = context.getBean(HoldfastProperties.class);
                    assertThat(properties.ttl()).hasSeconds(7);
                    assertThat(properties.node().timeout()).hasSeconds(1);
                    assertThat(properties.locked().waitFor()).hasSeconds(3);
                },
                "holdfast.ttl=7",
                "holdfast.node.timeout=1",
                "holdfast.locked.wait-for=3");
    }

    @Test
    void e25_aCallWaitsForThirtySecondsAtMostByDefault() {
        run((work, holdfast, context) -> assertThat(
                        context.getBean(HoldfastProperties.class).locked().waitFor())
                .hasSeconds(30));
    }

    @Test
    void e25_aWaitWithoutAMajorityIsLogged(CapturedOutput output) {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=redis://localhost:1", "holdfast.locked.wait-for=3")
                .withBean(Waiter.class)
                .run(context -> {
                    Thread waiting = new Thread(
                            () -> assertThatThrownBy(context.getBean(Waiter.class)::waits)
                                    .isNotInstanceOf(LockTimeoutException.class),
                            "waiting-in-a-test");
                    waiting.start();
                    await().untilAsserted(() -> assertThat(output)
                            .contains("@Locked method Waiter.waits() has waited for lock 'wait' for")
                            .contains("no majority of nodes answers: redis://localhost:1"));
                    waiting.interrupt();
                    waiting.join();
                });
    }

    static class Waiter {
        @Locked("wait")
        public void waits() {}
    }
}
