package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Leadership;
import dev.holdfast.lock.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** Two workers for one job of numbered steps. One of them works; when it fails, the other continues from the step that it had reached. */
public final class WorkerFailover {

    private static final int LAST = 6;

    private final Holdfast holdfast;
    private final String job;
    private final IntConsumer work;
    private final CountDownLatch done = new CountDownLatch(1);

    /** Creates one of several workers for this job. */
    public WorkerFailover(Holdfast holdfast, String job, IntConsumer work) {
        this.holdfast = holdfast;
        this.job = job;
        this.work = work;
    }

    /** Stands for election, and works while it leads. */
    public Candidacy start() {
        // recipe:begin
        return holdfast.election("job:" + job).ttl(Duration.ofSeconds(10)).stand(this::lead);
        // recipe:end
    }

    private void lead(Leadership leadership) throws InterruptedException {
        // recipe:begin
        int last = leadership.state().isEmpty() ? 0 : Integer.parseInt(leadership.state());
        for (int step = last + 1; step <= LAST; step++) {
            leadership.ensureLeader();
            work.accept(step); // and let the resource check leadership.term()
            if (leadership.writeState(Integer.toString(step)) != WriteOutcome.WRITTEN) {
                return; // the candidate queues again; the next leader may repeat this step
            }
        }
        // recipe:end
        done.countDown();
    }

    /** Waits until this worker has done the last step, or has found that it is done. */
    public void awaitEnd() throws InterruptedException {
        done.await();
    }

    /** Runs two workers and closes the client of the first one in the middle of step 3. The arguments are the nodes; without any, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        String[] nodes = Nodes.orMemory(arguments, 0);
        Holdfast first = Holdfast.connect(nodes);
        String job = first.client(); // a new name for each run
        try (Holdfast second = Holdfast.connect(nodes)) {
            CountDownLatch crashed = new CountDownLatch(1);
            WorkerFailover one = new WorkerFailover(first, job, step -> {
                System.out.println("first does step " + step);
                if (step == 3) {
                    crashed.countDown();
                    first.close();
                }
            });
            one.start();
            crashed.await();
            WorkerFailover other =
                    new WorkerFailover(second, job, step -> System.out.println("second does step " + step));
            try (Candidacy candidacy = other.start()) {
                other.awaitEnd();
            }
        } finally {
            first.close();
        }
    }
}
