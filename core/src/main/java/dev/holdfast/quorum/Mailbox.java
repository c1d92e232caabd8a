package dev.holdfast.quorum;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after the other, in the order in which they came, on whichever thread brings one while none runs.
 *
 * <p>What only tasks of one mailbox touch needs no lock, and no monitor is ever held while a request is sent.
 */
public final class Mailbox {

    private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /** Runs the task now, or after those that are there already, then by the thread that runs them. Returns at once in that case. */
    public void run(Runnable task) {
        tasks.add(task);
        if (size.getAndIncrement() == 0) {
            drain();
        }
    }

    private void drain() {
        do {
            Runnable task = tasks.remove();
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "A step of the protocol failed; this is a bug in Holdfast", e);
            }
        } while (size.decrementAndGet() != 0);
    }
}
