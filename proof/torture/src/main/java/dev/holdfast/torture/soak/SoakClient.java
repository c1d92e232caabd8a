package dev.holdfast.torture.soak;

import dev.holdfast.Holdfast;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A slot for one client at a time, which is closed and opened again under load. Thread-safe. */
final class SoakClient implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(2);

    /** How long nodes remember fences: short, so that the number of keys at the servers settles within moments. */
    private static final Duration FENCE_RETENTION = Duration.ofSeconds(5);

    private final String name;
    private final List<String> nodes;
    private final List<WeakReference<Holdfast>> closed = new ArrayList<>();
    private volatile Holdfast holdfast;

    SoakClient(String name, List<String> nodes) {
        this.name = name;
        this.nodes = nodes;
        holdfast = open();
    }

    private Holdfast open() {
        return Holdfast.builder()
                .nodes(nodes)
                .clientName(name)
                .lockOptions(options -> options.ttl(TTL).waiterTtl(Duration.ofSeconds(1)))
                .restartQuarantine(TTL)
                .fenceRetention(FENCE_RETENTION)
                .connect();
    }

    /** Returns the client that is open, or is being closed. */
    Holdfast get() {
        return holdfast;
    }

    /**
     * Closes the client while its workers use it, and opens another one.
     *
     * @return how long the close took
     */
    synchronized Duration reopen() {
        Holdfast before = holdfast;
        long start = System.nanoTime();
        before.close();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        closed.add(new WeakReference<>(before));
        holdfast = open();
        return took;
    }

    /** Returns how many closed clients are still reachable. The number means something only after a garbage
     * collection. */
    synchronized int lingering() {
        closed.removeIf(reference -> reference.get() == null);
        return closed.size();
    }

    @Override
    public synchronized void close() {
        holdfast.close();
    }
}
