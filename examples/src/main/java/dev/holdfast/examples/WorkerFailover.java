package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.WriteOutcome;
import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Leadership;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** Two workers, of which one works through numbered steps; when it is gone, the other goes on where it stopped. */
public final class WorkerFailover {

    private static final int LAST = 6;

    private final Holdfast holdfast;
    private final IntConsumer work;
    private final CountDownLatch done = new CountDownLatch(1);

    /** A worker that is known by its client's name. */
    public WorkerFailover(Holdfast holdfast, IntConsumer work) {
        this.holdfast = holdfast;
        this.work = work;
    }

    /** Stands for election, and works whenever it leads. */
    public Candidacy start() {
        // recipe:begin
        return holdfast.election("steps").ttl(Duration.ofSeconds(1)).stand(this::lead);
        // recipe:end
    }

    private void lead(Leadership leadership) throws InterruptedException {
        // recipe:begin
        int last = leadership.state().isEmpty() ? 0 : Integer.parseInt(leadership.state());
        for (int step = last + 1; step <= LAST; step++) {
            leadership.ensureLeader();
            work.accept(step); // and have what it changes check leadership.term()
            if (leadership.writeState(Integer.toString(step)) != WriteOutcome.WRITTEN) {
                return; // in line again; the next leader may do this step once more
            }
        }
        // recipe:end
        done.countDown();
    }

    /** Waits until this worker has done the last step, or has found it done. */
    public void awaitEnd() throws InterruptedException {
        done.await();
    }

    /** The first worker crashes after three steps. Arguments: the nodes, or none for in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        String[] nodes = Nodes.orMemory(arguments, 0);
        Holdfast first = Holdfast.builder().nodes(nodes).clientName("first").connect();
        try (Holdfast second =
                Holdfast.builder().nodes(nodes).clientName("second").connect()) {
            CountDownLatch crashed = new CountDownLatch(1);
            new WorkerFailover(first, step -> {
                        System.out.println("first does step " + step);
                        if (step == 3) {
                            crashed.countDown();
                            first.close();
                            throw new IllegalStateException("the first worker crashes after step 3");
                        }
                    })
                    .start();
            WorkerFailover other = new WorkerFailover(second, step -> System.out.println("second does step " + step));
            crashed.await();
            try (Candidacy candidacy = other.start()) {
                other.awaitEnd();
            }
        } finally {
            first.close();
        }
    }
}
