package dev.holdfast.internal.thread;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order in which they came, on whichever thread brings one while none runs.
 *
 * <p>What only tasks of one mailbox touch needs no lock, and no monitor is ever held while a request is sent.
 */
public final class Mailbox {

    private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());
    private static final VarHandle LATEST;

    /** Stands for a task that runs while none waits. */
    private static final Letter BUSY = new Letter(() -> {}, null);

    static {
        try {
            LATEST = MethodHandles.lookup().findVarHandle(Mailbox.class, "latest", Letter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null while idle; else the task that came last, and behind it those before, down to {@link #BUSY}. */
    @SuppressWarnings("unused") // by LATEST
    private volatile @Nullable Letter latest;

    /** A task that waits, and the one that came before it. */
    private static final class Letter {

        final Runnable task;

        @Nullable
        Letter other; // the one before while it lies there, the one after once it is taken

        Letter(Runnable task, @Nullable Letter other) {
            this.task = task;
            this.other = other;
        }
    }

    /** Runs the task now, or after those that are there already, then by the thread that runs them. Returns at once in that case. */
    public void run(Runnable task) {
        Letter letter = null;
        while (!LATEST.compareAndSet(this, null, BUSY)) {
            Letter before = latest;
            if (before != null) {
                letter = letter == null ? new Letter(task, before) : letter;
                letter.other = before;
                if (LATEST.compareAndSet(this, before, letter)) {
                    return;
                }
            }
        }
        step(task);
        while (!LATEST.compareAndSet(this, BUSY, null)) {
            for (Letter next = takeInOrder(); next != null; next = next.other) {
                step(next.task);
            }
        }
    }

    /** As {@link #run(Runnable)}, for a task that somebody waits for: if it throws, their stage fails instead of staying open. */
    public void run(CompletableFuture<?> awaited, Runnable task) {
        run(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                awaited.completeExceptionally(e);
                throw e;
            }
        });
    }

    private @Nullable Letter takeInOrder() {
        Letter last = (Letter) LATEST.getAndSet(this, BUSY);
        Letter first = null;
        while (last != null && last != BUSY) {
            Letter before = last.other;
            last.other = first;
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
