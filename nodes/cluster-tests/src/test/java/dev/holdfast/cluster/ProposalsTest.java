package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A leader collects operations into few entries, keeps their order, and answers each one. */
class ProposalsTest implements Ticker {

    private static final AcquireAnswer QUEUED = new AcquireAnswer.Queued(30_000, 7, 1, null, 0, 0);
    private static final AcquireAnswer GRANTED = new AcquireAnswer.Granted(8, null, 0);
    private static final ReleaseAnswer RELEASED = new ReleaseAnswer.Released();

    private final List<Proposals.Proposal> appended = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private long nanos;
    private final Proposals proposals = new Proposals(
            new LogTime(this), (delay, task) -> timers.add(task), (proposal, term) -> appended.add(proposal));

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    private static Operation<?> operation(String name) {
        return new Operation.Inspect(name);
    }

    private CompletableFuture<Object> propose(String name) {
        return proposals.propose(operation(name)).toCompletableFuture();
    }

    private List<String> names(int entry) {
        return appended.get(entry).batch().operations().stream()
                .map(one -> ((Operation.Inspect) one).resource())
                .toList();
    }

    @Test
    void theThirdEntryCarriesAllThatArrivesMeanwhile() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        propose("c");
        propose("d");
        assertThat(appended).as("entries under way").hasSize(2);

        appended.get(0).answered(List.of("answer"), List.of());

        assertThat(appended).hasSize(3);
        assertThat(names(2)).containsExactly("c", "d");
    }

    /** A second entry beside a large one would only make small entries of large ones. */
    @Test
    void nothingLeavesBesideALargeEntry() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        IntStream.range(0, 9).forEach(i -> propose("c" + i));
        appended.get(0).answered(List.of("answer"), List.of());
        assertThat(names(2)).hasSize(9);
        propose("d");

        appended.get(1).answered(List.of("answer"), List.of());

        assertThat(appended).hasSize(3);
        appended.get(2).answered(List.copyOf(names(2)), List.of());
        assertThat(names(3)).containsExactly("d");
    }

    /** The rest of a full entry must not wait until another operation arrives, even if that entry is given up. */
    @Test
    void theRestOfAFullEntryLeavesInTheNextOne() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        IntStream.range(0, 1_001).forEach(i -> propose("c" + i));
        appended.get(0).failed("the lead is handed over");
        assertThat(names(2)).hasSize(1_000);
        appended.get(1).failed("the lead is handed over");
        assertThat(appended).hasSize(3);

        appended.get(2).failed("the lead is handed over");

        assertThat(names(3)).containsExactly("c1000");
    }

    /** Operations of entries that have ended do not count. */
    @Test
    void aSecondEntryLeavesBesideASmallOneHoweverManyWereLarge() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        IntStream.range(0, 20).forEach(i -> propose("c" + i));
        for (int entry = 0; entry < 3; entry++) {
            appended.get(entry).answered(List.copyOf(names(entry)), List.of());
        }

        propose("d");
        propose("e");

        assertThat(appended).as("two under way").hasSize(5);
    }

    @Test
    void theTimeInWhichNothingIsCommittedHardlyCounts() {
        proposals.open(1, 1_000);
        propose("a");
        nanos += 3_000_000_000L;
        propose("b");
        assertThat(appended.get(1).batch().millis()).isEqualTo(1_250);

        appended.get(0).answered(List.of("answer"), List.of());
        appended.get(1).answered(List.of("answer"), List.of());
        nanos += 1_000_000_000L;
        propose("c");

        assertThat(appended.get(2).batch().millis()).isEqualTo(2_250);
    }

    /** A leader that hands its lead over refuses entries. If that fails, it goes on. */
    @Test
    void theTimeInWhichEntriesAreGivenUpHardlyCounts() {
        proposals.open(1, 1_000);
        propose("a");
        appended.get(0).failed("the lead is handed over");
        nanos += 3_000_000_000L;
        propose("b");

        assertThat(appended.get(1).batch().millis()).isEqualTo(1_250);
    }

    @Test
    void eachOperationGetsItsAnswer() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        CompletableFuture<Object> c = propose("c");
        CompletableFuture<Object> d = propose("d");
        appended.get(0).answered(List.of("answer a"), List.of());

        appended.get(2).answered(List.of("answer c", "answer d"), List.of());

        assertThat(c.join()).isEqualTo("answer c");
        assertThat(d.join()).isEqualTo("answer d");
    }

    @Test
    void anEntryThatIsGivenUpMakesRoom() {
        proposals.open(1, 1_000);
        CompletableFuture<Object> a = propose("a");
        propose("b");
        propose("c");

        appended.get(0).failed("the disk is full");

        assertThat(a.join()).isEqualTo(new Unavailable("the disk is full", true));
        assertThat(names(2)).containsExactly("c");
    }

    @Test
    void aServerThatLeadsNoMoreRefusesWhatWaits() {
        proposals.open(1, 1_000);
        CompletableFuture<Object> a = propose("a");
        propose("b");
        CompletableFuture<Object> c = propose("c");

        proposals.close("b leads");

        assertThat(c.join()).isEqualTo(new Unavailable("b leads", false));
        assertThat(propose("d").join()).isEqualTo(new Unavailable("b leads", false));
        assertThat(a).as("under way, so it may still be committed").isNotDone();
        appended.get(0).answered(List.of("answer a"), List.of());
        assertThat(a.join()).isEqualTo("answer a");
        assertThat(appended).hasSize(2);
    }

    private static OwnerId owner(int ticket) {
        return new OwnerId("client@host~a1b2c3d4", ticket, 0);
    }

    private CompletableFuture<Object> acquire(String lock, int ticket) {
        AcquireRequest request = AcquireRequest.forQueuedVote(lock, owner(ticket), LockMode.EX, 30_000, 30_000, 1);
        return proposals.propose(new Operation.Acquire(request)).toCompletableFuture();
    }

    private CompletableFuture<Object> release(String lock, int ticket) {
        ReleaseRequest request = new ReleaseRequest(lock, owner(ticket), 0);
        return proposals.propose(new Operation.Release(request)).toCompletableFuture();
    }

    private static List<Push> granting(String lock, int ticket) {
        return List.of(new Push.Granted(lock, owner(ticket), 8, null));
    }

    private List<Operation<?>> operations(int entry) {
        return appended.get(entry).batch().operations();
    }

    /** Opens the proposals, and makes a lock contended by the entries 0 and 1: owner 1 holds it, and owner 2 waits. */
    private void contend(String lock) {
        proposals.open(1, 1_000);
        acquire(lock, 1);
        appended.get(0).answered(List.of(GRANTED), List.of());
        acquire(lock, 2);
        appended.get(1).answered(List.of(QUEUED), List.of());
    }

    private void runTimers() {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void aRequestThatWillQueueGoesWithTheNextOperation() {
        contend("a");
        CompletableFuture<Object> queued = acquire("a", 3);
        acquire("a", 4);
        assertThat(appended).as("entries").hasSize(2);

        release("a", 1);

        assertThat(operations(2)).hasSize(3).first().isInstanceOf(Operation.Acquire.class);
        appended.get(2).answered(List.of(QUEUED, QUEUED, RELEASED), granting("a", 2));
        assertThat(queued.join()).isEqualTo(QUEUED);
        acquire("a", 1);
        assertThat(appended).as("the lock is still contended").hasSize(3);
    }

    @Test
    void aRequestThatWillQueueWaitsForTenMillisecondsAtMost() {
        contend("a");
        acquire("a", 3);
        nanos += 5_000_000;
        acquire("a", 4);
        assertThat(timers).hasSize(1);
        runTimers(); // early: it belonged to requests that have left
        assertThat(appended).hasSize(2);

        runTimersAfter(5);

        assertThat(operations(2)).hasSize(2);
        assertThat(timers).isEmpty();
        appended.get(2).answered(List.of(QUEUED, QUEUED), List.of());
        acquire("a", 5);
        assertThat(timers).as("the next request has a timer too").hasSize(1);
    }

    /** Its lock was released while the request waited for company, and nothing else may follow. */
    @Test
    void aRequestLeavesAtOnceWhenItsLockIsFree() {
        contend("a");
        release("a", 1);
        acquire("a", 3);
        appended.get(2).answered(List.of(RELEASED), granting("a", 2));
        assertThat(appended).hasSize(3);
        release("a", 2);
        assertThat(operations(3)).hasSize(2);
        acquire("a", 4);

        appended.get(3).answered(List.of(QUEUED, RELEASED), List.of());

        assertThat(operations(4)).hasSize(1);
    }

    @Test
    void onlyRequestsThatWillQueueWait() {
        contend("a");
        AcquireRequest now = AcquireRequest.forVote("a", owner(3), LockMode.EX, 30_000, 30_000, 1);
        proposals.propose(new Operation.Acquire(now));
        appended.get(2).answered(List.of(QUEUED), List.of());
        acquire("b", 3);
        appended.get(3).answered(List.of(GRANTED), List.of());
        acquire("a", 3);
        assertThat(appended).hasSize(4);

        runTimersAfter(10);
        appended.get(4).answered(List.of(GRANTED), List.of()); // the votes before it have expired

        acquire("a", 4);
        assertThat(appended).hasSize(6);
    }

    private void runTimersAfter(int millis) {
        nanos += 1_000_000L * millis;
        runTimers();
    }

    @Test
    void aServerThatLeadsNoMoreRefusesRequestsThatWaitForCompany() {
        contend("a");
        CompletableFuture<Object> queued = acquire("a", 3);

        proposals.close("b leads");
        runTimersAfter(10);

        assertThat(queued.join()).isEqualTo(new Unavailable("b leads", false));
        assertThat(appended).hasSize(2);
    }

    /** A client's cancellation must not overtake its request. */
    @Test
    void operationsOfAThreadStayInTheirOrder() throws InterruptedException {
        int threads = 4;
        int each = 20_000;
        List<Batch> log = new ArrayList<>();
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService engine = Executors.newSingleThreadExecutor();
        Proposals busy = new Proposals(new LogTime(Ticker.system()), (delay, task) -> {}, (proposal, term) -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            log.add(proposal.batch());
            engine.execute(() -> {
                underWay.decrementAndGet();
                proposal.answered(
                        proposal.batch().operations().stream()
                                .map(one -> (Object) "answer")
                                .toList(),
                        List.of());
            });
        });
        busy.open(1, 1_000);
        List<CompletableFuture<Void>> all = IntStream.range(0, threads)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    List<CompletableFuture<Object>> answers = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        answers.add(busy.propose(operation(thread + ":" + i)).toCompletableFuture());
                    }
                    answers.forEach(answer -> assertThat(
                                    answer.orTimeout(60, TimeUnit.SECONDS).join())
                            .isEqualTo("answer"));
                }))
                .toList();
        all.forEach(CompletableFuture::join);
        engine.shutdown();
        assertThat(engine.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

        Map<String, Integer> next = new HashMap<>();
        long millis = 0;
        for (Batch batch : log) {
            assertThat(batch.millis()).isGreaterThanOrEqualTo(millis);
            millis = batch.millis();
            for (Operation<?> one : batch.operations()) {
                String[] parts = ((Operation.Inspect) one).resource().split(":");
                assertThat(Integer.parseInt(parts[1])).isEqualTo(next.merge(parts[0], 1, Integer::sum) - 1);
            }
        }
        assertThat(next)
                .hasSize(threads)
                .allSatisfy((thread, count) -> assertThat(count).isEqualTo(each));
        assertThat(most).hasValue(2);
    }
}
