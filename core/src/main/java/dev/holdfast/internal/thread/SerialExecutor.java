package dev.holdfast.internal.thread;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An executor that runs tasks one after the other, in the order of their arrival. It has no thread of its own: the thread that submits a task to
 * an idle executor runs it, and all tasks that arrive in the meantime.
 *
 * <p>State that only the tasks of one executor access needs no lock. No monitor is ever held while a request is sent.
 */
public final class SerialExecutor implements Executor {

    private static final System.Logger LOG = System.getLogger(SerialExecutor.class.getName());
    private static final VarHandle LATEST;

    /** Marks an executor that runs a task while no other task is waiting. */
    private static final Node BUSY = new Node(() -> {}, null);

    static {
        try {
            LATEST = MethodHandles.lookup().findVarHandle(SerialExecutor.class, "latest", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null while idle; otherwise the latest task, linked to the ones before it, down to {@link #BUSY}. */
    @SuppressWarnings("unused") // accessed through LATEST
    private volatile @Nullable Node latest;

    /** A waiting task. */
    private static final class Node {

        final Runnable task;

        @Nullable
        Node link; // the previous task until the list is taken, then the next one

        Node(Runnable task, @Nullable Node link) {
            this.task = task;
            this.link = link;
        }
    }

    /** Runs the task now if the executor is idle. Otherwise returns at once, and the running thread runs the task later. */
    @Override
    public void execute(Runnable task) {
        Node node = null;
        while (!LATEST.compareAndSet(this, null, BUSY)) {
            Node before = latest;
            if (before != null) {
                node = node == null ? new Node(task, before) : node;
                node.link = before;
                if (LATEST.compareAndSet(this, before, node)) {
                    return;
                }
            }
        }
        step(task);
        while (!LATEST.compareAndSet(this, BUSY, null)) {
            for (Node next = takeInOrder(); next != null; next = next.link) {
                step(next.task);
            }
        }
    }

    /** Runs the task as {@link #execute(Runnable)} does. If the task throws, the awaited future fails instead of staying incomplete. */
    public void execute(CompletableFuture<?> awaited, Runnable task) {
        execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                awaited.completeExceptionally(e);
                throw e;
            }
        });
    }

    private @Nullable Node takeInOrder() {
        Node last = (Node) LATEST.getAndSet(this, BUSY);
        Node first = null;
        while (last != null && last != BUSY) {
            Node before = last.link;
            last.link = first;
            first = last;
            last = before;
        }
        return first;
    }

    private static void step(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A step of the protocol failed; this is a bug in Holdfast", e);
        }
    }
}
