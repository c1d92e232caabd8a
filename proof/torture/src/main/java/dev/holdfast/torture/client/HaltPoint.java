package dev.holdfast.torture.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The point between a check of the lease and the write that follows. This process stops itself there on request. */
final class HaltPoint {

    private final AtomicBoolean requested = new AtomicBoolean();

    void request(boolean halt) {
        requested.set(halt);
    }

    /** Stops this process with all its threads (SIGSTOP) if that was requested; returns some time after SIGCONT. */
    void pass() throws IOException, InterruptedException {
        if (requested.compareAndSet(true, false)) {
            long pid = ProcessHandle.current().pid();
            new ProcessBuilder("sh", "-c", "kill -STOP " + pid).start().waitFor();
        }
    }
}
