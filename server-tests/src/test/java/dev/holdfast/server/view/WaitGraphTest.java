package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.lease.ServedClient;
import dev.holdfast.time.Ticker;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Which clients wait for which, with as many holders and waiters as one client may have. */
class WaitGraphTest {

    private static final int MANY = 3_000;

    private static Party client(String label) {
        return new Party("owner of " + label, new ServedClient("token", label));
    }

    private static List<Party> clients(String label, int count) {
        return IntStream.range(0, count).mapToObj(i -> client(label + i)).toList();
    }

    private static LockRow held(String lock, List<Party> holding, List<Party> queue) {
        return new LockRow(
                lock,
                LockRow.State.HELD,
                null,
                holding.size(),
                null,
                queue.size(),
                null,
                List.of(),
                LockKind.LOCK,
                null,
                holding,
                queue);
    }

    private static WaitGraph graph(List<LockRow> rows) {
        return new WaitGraph(rows, new Owners(Ticker.system()), 0);
    }

    /** A chain in which each client holds a lock and waits for the next one. */
    private static List<LockRow> chain(int length) {
        List<LockRow> rows = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            rows.add(held("lock " + i, List.of(client("client " + i)), List.of(client("client " + (i + 1)))));
        }
        return rows;
    }

    private static long allocated(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        action.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** A graph of the pairs needed 300 MB for such a lock, at each query of the page. */
    @Test
    void aLockWithManyHoldersAndWaitersTakesLittleMemory() {
        List<LockRow> rows = List.of(held("shared", clients("holder", MANY), clients("waiter", MANY)));

        long bytes = allocated(() -> {
            ObjectNode json = graph(rows).json();
            assertThat(json.get("waits").size()).isEqualTo(500);
            assertThat(json.get("more").longValue()).isEqualTo((long) MANY * MANY - 500);
        });

        assertThat(bytes).isLessThan(50_000_000);
    }

    /** A search from each client visited the rest of the chain each time. */
    @Test
    void aLongChainIsSearchedOnce() {
        List<LockRow> rows = chain(MANY);

        assertThat(allocated(() -> assertThat(graph(rows).locksInCircles()).isEmpty()))
                .isLessThan(50_000_000);
    }

    @Test
    void aLongCircleIsOneCircle() {
        List<LockRow> rows = chain(MANY);
        rows.add(held("last", List.of(client("client " + MANY)), List.of(client("client 0"), client("outside"))));
        rows.add(held("other", List.of(client("outside")), List.of(client("beyond"))));

        WaitGraph graph = graph(rows);
        assertThat(graph.locksInCircles())
                .hasSize(MANY + 1)
                .contains("lock 0", "last")
                .doesNotContain("other");
        assertThat(graph.json().get("circles").intValue()).isEqualTo(1);
    }

    @Test
    void waitsInCirclesComeFirst() {
        List<LockRow> rows = List.of(
                held("crowded", clients("holder", 100), clients("waiter", 100)),
                held("a", List.of(client("one")), List.of(client("two"), client("three"))),
                held("b", List.of(client("two")), List.of(client("one"))));

        WaitGraph graph = graph(rows);
        assertThat(graph.locksInCircles()).isEqualTo(Set.of("a", "b"));
        ObjectNode json = graph.json();
        assertThat(json.get("waits").get(0).get("lock").stringValue()).isEqualTo("a");
        assertThat(json.get("waits").get(0).get("circle").intValue()).isEqualTo(1);
        assertThat(json.get("waits").get(1).get("lock").stringValue()).isEqualTo("b");
        assertThat(json.get("waits").get(2).get("circle").isNull()).isTrue();
        assertThat(json.get("more").longValue()).isEqualTo(10_000 + 3 - 500);
    }
}
