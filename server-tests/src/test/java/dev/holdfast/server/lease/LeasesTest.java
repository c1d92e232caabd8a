package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.time.Timing;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Caller TESTER = new Caller("tester", List.of(""), Set.of(Permission.ACQUIRE));

    private static Leases leases(Holdfast holdfast, Timing timing, EventLog events) {
        LeaseLimits limits = new LeaseLimits(Duration.ofSeconds(30), 10, 10, 10);
        return new Leases(
                holdfast, timing, limits, events, new Owners(timing.ticker()), new LeaseKeys(holdfast, timing));
    }

    private static LockRequest waiting(Duration wait) {
        return new LockRequest("x", LockMode.EX, Duration.ofSeconds(30), wait, false, null, null);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void c11_anAcquireIsAnsweredThoughAReaderOfEventsFails() throws Exception {
        Timing timing = Timing.system("failing-reader");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            EventLog events = new EventLog(timing);
            Leases leases = leases(holdfast, timing, events);
            events.read(
                    null,
                    false,
                    event -> {
                        throw new IllegalStateException("a test");
                    },
                    () -> {});

            ServedLease lease = get(leases.acquire(TESTER, waiting(Duration.ZERO), null, whenGone -> {}));
            assertThat(lease.token).isPositive();
            get(lease.release().toCompletableFuture());
            assertThat(leases.held()).isZero();
        } finally {
            timing.scheduler().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k"})
    void anEndedLeaseKeepsNothingOfTheNodes(String key) throws Exception {
        Timing timing = Timing.system("ended");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = leases(holdfast, timing, new EventLog(timing));
            ServedLease lease =
                    get(leases.acquire(TESTER, waiting(Duration.ZERO), key.isEmpty() ? null : key, whenGone -> {}));
            WeakReference<Lease> atNodes = new WeakReference<>(lease.lease);

            get(lease.release().toCompletableFuture());

            await().atMost(PATIENCE).until(() -> {
                System.gc();
                return atNodes.get() == null;
            });
            assertThat(get(leases.find(TESTER, lease.id).toCompletableFuture())).isSameAs(lease);
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void aRepeatedRequestJoinsTheOneThatStillWaits() throws Exception {
        Timing timing = Timing.system("joined");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = leases(holdfast, timing, new EventLog(timing));
            ServedLease holder = get(leases.acquire(TESTER, waiting(Duration.ZERO), null, whenGone -> {}));
            CompletableFuture<ServedLease> one = leases.acquire(TESTER, waiting(PATIENCE), "k", whenGone -> {});
            CompletableFuture<ServedLease> two = leases.acquire(TESTER, waiting(PATIENCE), "k", whenGone -> {});
            await().atMost(PATIENCE).until(() -> leases.waiting() > 0);
            assertThat(leases.waiting()).as("two requests, one attempt").isEqualTo(1);

            get(holder.release().toCompletableFuture());

            assertThat(get(one)).isSameAs(get(two));
            assertThat(leases.held()).isEqualTo(1);
        } finally {
            timing.scheduler().close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void oneOfTwoWithTheSameKeyMayGo(int goes) throws Exception {
        Timing timing = Timing.system("one-goes");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = leases(holdfast, timing, new EventLog(timing));
            ServedLease holder = get(leases.acquire(TESTER, waiting(Duration.ZERO), null, whenGone -> {}));
            List<Runnable> gone = new ArrayList<>();
            List<CompletableFuture<ServedLease>> both = List.of(
                    leases.acquire(TESTER, waiting(PATIENCE), "k", gone::add),
                    leases.acquire(TESTER, waiting(PATIENCE), "k", gone::add));
            await().atMost(PATIENCE).until(() -> leases.waiting() > 0);

            gone.get(goes).run();
            assertThat(both.get(goes)).isCompletedExceptionally();
            get(holder.release().toCompletableFuture());

            assertThat(get(both.get(1 - goes)).token).isPositive();
        } finally {
            timing.scheduler().close();
        }
    }

    /** A client may repeat its request for as long as it waits. */
    @Test
    void aRepeatedRequestThatHasGoneIsForgotten() throws Exception {
        Timing timing = Timing.system("gone");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = leases(holdfast, timing, new EventLog(timing));
            get(leases.acquire(TESTER, waiting(Duration.ZERO), null, whenGone -> {}));
            List<Runnable> gone = new ArrayList<>();
            WeakReference<CompletableFuture<ServedLease>> first =
                    new WeakReference<>(leases.acquire(TESTER, waiting(PATIENCE), "k", gone::add));
            CompletableFuture<ServedLease> second = leases.acquire(TESTER, waiting(PATIENCE), "k", whenGone -> {});

            gone.remove(0).run();

            await().atMost(Duration.ofSeconds(10)).until(() -> {
                System.gc();
                return first.get() == null;
            });
            assertThat(second).isNotDone();
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void whenBothWithTheSameKeyHaveGoneNobodyWaits() throws Exception {
        Timing timing = Timing.system("both-go");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = leases(holdfast, timing, new EventLog(timing));
            get(leases.acquire(TESTER, waiting(Duration.ZERO), null, whenGone -> {}));
            List<Runnable> gone = new ArrayList<>();
            leases.acquire(TESTER, waiting(PATIENCE), "k", gone::add);
            leases.acquire(TESTER, waiting(PATIENCE), "k", gone::add);
            await().atMost(PATIENCE).until(() -> leases.waiting() > 0);

            gone.forEach(Runnable::run);

            await().atMost(PATIENCE).until(() -> leases.waiting() == 0 && leases.held() == 1);
        } finally {
            timing.scheduler().close();
        }
    }
}
