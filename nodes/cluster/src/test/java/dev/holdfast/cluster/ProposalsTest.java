package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

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
class ProposalsTest {

    private final List<Proposals.Proposal> appended = new ArrayList<>();
    private final Proposals proposals =
            new Proposals(new LogTime(Ticker.system()), (proposal, term) -> appended.add(proposal));

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

        appended.get(0).answered(List.of("answer"));

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
        appended.get(0).answered(List.of("answer"));
        assertThat(names(2)).hasSize(9);
        propose("d");

        appended.get(1).answered(List.of("answer"));

        assertThat(appended).hasSize(3);
        appended.get(2).answered(List.copyOf(names(2)));
        assertThat(names(3)).containsExactly("d");
    }

    @Test
    void eachOperationGetsItsAnswer() {
        proposals.open(1, 1_000);
        propose("a");
        propose("b");
        CompletableFuture<Object> c = propose("c");
        CompletableFuture<Object> d = propose("d");
        appended.get(0).answered(List.of("answer a"));

        appended.get(2).answered(List.of("answer c", "answer d"));

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
        appended.get(0).answered(List.of("answer a"));
        assertThat(a.join()).isEqualTo("answer a");
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
        Proposals busy = new Proposals(new LogTime(Ticker.system()), (proposal, term) -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            log.add(proposal.batch());
            engine.execute(() -> {
                underWay.decrementAndGet();
                proposal.answered(proposal.batch().operations().stream()
                        .map(one -> (Object) "answer")
                        .toList());
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
