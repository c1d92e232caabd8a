package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of the requests that go out in the next statement. */
class RequestQueueTest {

    private static final long SHORT = 300_000;
    private static final long LONG = 3_000_000;
    private static final int PLENTY = 10_000;

    private final RequestQueue queue = new RequestQueue();

    private static OwnerId owner() {
        return new OwnerId("client~00000000", 7, 0);
    }

    private static Work work(LockCall call) {
        return new Work.Lock<>(call, row -> "", why -> "", (waiting, queued) -> {});
    }

    private static Work acquire(String name) {
        return work(LockCall.of(
                new AcquireRequest(
                        "lock:" + name,
                        owner(),
                        LockMode.EX,
                        new AcquireRequest.Terms(30_000, 10_000, 1),
                        true,
                        AcquireRequest.Update.NONE),
                0));
    }

    private static Work release(String name, @Nullable LockValue value) {
        return work(LockCall.of(new ReleaseRequest("lock:" + name, owner(), 0, null, value), 0));
    }

    private static Work release(String name) {
        return release(name, null);
    }

    private List<Work> added(Work... works) {
        List.of(works).forEach(queue::add);
        return List.of(works);
    }

    private void releasesTake(long nanos) {
        IntStream.range(0, 100).forEach(i -> queue.took(List.of(release("a")), nanos));
        IntStream.range(0, 100).forEach(i -> queue.took(List.of(acquire("a"), release("b")), LONG));
    }

    @Test
    void shortReleasesGoOutBeforeWhatWaitsForTheDisk() {
        releasesTake(SHORT);
        List<Work> works = added(acquire("a"), release("b"), release("c", new LockValue(1, 1, "v")), release("d"));

        assertThat(queue.next()).containsExactlyInAnyOrder(works.get(1), works.get(3));
        assertThat(queue.next()).containsExactly(works.get(0), works.get(2));
        assertThat(queue.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {LONG, LONG * 3 / 4})
    void releasesThatTakeAsLongAsOthersKeepTheirPlaces(long nanos) {
        releasesTake(nanos);
        List<Work> works = added(acquire("a"), release("b"), acquire("c"));

        assertThat(queue.next()).containsExactlyElementsOf(works);
    }

    @Test
    void longReleasesAreTriedAgainNowAndThen() {
        releasesTake(LONG);
        int tries = 0;
        for (int i = 0; i < PLENTY; i++) {
            Work first = acquire("a");
            added(first, release("b"));
            boolean apart = !queue.next().contains(first);
            queue.removeAll();
            tries += apart ? 1 : 0;
            queue.took(List.of(apart ? release("b") : first), LONG);
        }
        assertThat(tries).isBetween(PLENTY / 1_000, PLENTY / 10);
    }

    @Test
    void aReleaseNeverPassesARequestForTheSameResource() {
        releasesTake(SHORT);
        List<Work> works = added(acquire("a"), release("a"), release("b"), release("b"));

        assertThat(queue.next()).containsExactly(works.get(2));
        assertThat(queue.next()).containsExactly(works.get(3));
        assertThat(queue.next()).containsExactly(works.get(0), works.get(1));
    }

    @Test
    void aStepThatNeedsTheConnectionGoesOutAloneAndInItsPlace() {
        releasesTake(SHORT);
        Work step = new Work.Single<>(link -> "", why -> "");
        List<Work> works = added(acquire("a"), step, release("b"));

        assertThat(Stream.of(1, 2, 3).map(i -> queue.next()))
                .containsExactly(List.of(works.get(0)), List.of(step), List.of(works.get(2)));
    }

    @Test
    void allRequestsGoOutOnceEachInOrderForEachResource() {
        Random random = new Random(110);
        List<Work> sent = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < PLENTY; i++) {
            String name = "lock-" + random.nextInt(50);
            Work work = random.nextBoolean() ? acquire(name) : release(name);
            works.add(work);
            queue.add(work);
            if (random.nextInt(60) == 0) {
                drainOnce(random, sent);
            }
        }
        while (!queue.isEmpty()) {
            drainOnce(random, sent);
        }
        assertThat(sent).containsExactlyInAnyOrderElementsOf(works);
        for (int i = 0; i < 50; i++) {
            String resource = "lock:lock-" + i;
            assertThat(sent.stream().filter(work -> isFor(work, resource)))
                    .containsExactlyElementsOf(
                            works.stream().filter(work -> isFor(work, resource)).toList());
        }
    }

    private void drainOnce(Random random, List<Work> sent) {
        List<Work> next = queue.next();
        assertThat(next).isNotEmpty().hasSizeLessThanOrEqualTo(RequestQueue.MOST_TOGETHER);
        queue.took(next, 1 + random.nextLong(LONG));
        sent.addAll(next);
    }

    private static boolean isFor(Work work, String resource) {
        return ((Work.Lock<?>) work).call.resource().equals(resource);
    }
}
