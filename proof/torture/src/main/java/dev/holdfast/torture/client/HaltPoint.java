package dev.holdfast.torture.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The place between a look at the lease and the write that follows, where this process stops itself when it is told to. */
final class HaltPoint {

    private final AtomicBoolean requested = new AtomicBoolean();

    void request(boolean halt) {
        requested.set(halt);
    }

    /** SIGSTOP to this process, all threads of it, if it was requested; returns some time after SIGCONT. */
    void pass() throws IOException, InterruptedException {
        if (requested.compareAndSet(true, false)) {
            long pid = ProcessHandle.current().pid();
            new ProcessBuilder("sh", "-c", "kill -STOP " + pid).start().waitFor();
        }
    }
}
