package dev.holdfast.torture.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.Finding.Kind;
import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.testkit.history.HistoryChecker;
import dev.holdfast.testkit.history.HistoryReader;
import dev.holdfast.testkit.history.HistoryReport;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The torture's workers with a client that locks on a node of its own. The check of the histories finds it in each recipe. */
@Tag("slow")
class BrokenClientTest {

    private static final int WORKERS = 4;
    private static final int TURNS = 60;

    @TempDir
    private Path folder;

    private final Timing timing = Timing.system("nodes");

    /** Lets the workers of two clients take turns, and checks what they recorded. */
    private HistoryReport play(MemoryNode first, MemoryNode second) throws Exception {
        List<Path> histories = List.of(folder.resolve("a.history"), folder.resolve("b.history"));
        List<Thread> workers = new ArrayList<>();
        try (Holdfast a = connect(first);
                Holdfast b = connect(second);
                HistoryWriter of = HistoryWriter.appendTo(histories.get(0));
                HistoryWriter ofOther = HistoryWriter.appendTo(histories.get(1))) {
            AtomicLong attempts = new AtomicLong();
            for (int worker = 0; worker < WORKERS; worker++) {
                workers.add(start(new RecipeTurns("a", a, new Diary(of), attempts, new Random(worker))));
                workers.add(start(new RecipeTurns("b", b, new Diary(ofOther), attempts, new Random(100 + worker))));
            }
            for (Thread worker : workers) {
                worker.join();
            }
        } finally {
            timing.scheduler().close();
        }
        List<Event> events = HistoryReader.read(histories);
        return HistoryChecker.check(events, Duration.ofSeconds(60));
    }

    private static Thread start(RecipeTurns turns) {
        Thread thread = new Thread(() -> {
            try {
                for (int turn = 0; turn < TURNS; turn++) {
                    turns.turn();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    private static Holdfast connect(MemoryNode node) {
        return Holdfast.builder()
                .node(context -> node.connect(context.client(), context.listener()))
                .restartQuarantine(Duration.ZERO)
                .connect();
    }

    private MemoryNode node(String name) {
        return new MemoryNode(name, timing, 60_000);
    }

    @Test
    void d18_aClientThatLocksElsewhereIsFoundInEveryRecipe() throws Exception {
        HistoryReport report = play(node("one"), node("other"));

        assertThat(report.count(Kind.TOO_MANY_HOLDERS)).as("semaphores").isPositive();
        assertThat(report.count(Kind.DOUBLE_HOLDER)).as("several locks at once").isPositive();
        assertThat(report.count(Kind.DONE_AGAIN)).as("sealed work").isPositive();
    }

    /** Or what is found of the broken client might be due to the workers. */
    @Test
    void d18_clientsOfTheSameNodeBreakNothing() throws Exception {
        MemoryNode node = node("one");

        assertThat(play(node, node).violations(Promise.ALWAYS, Promise.MEMORY, Promise.BOUNDED_CLOCKS, Promise.SEALS))
                .isEmpty();
    }
}
