package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The keys of the ids of leases (docs/decisions/0069). All servers in front of the same nodes share them: they are the value of a lock that no client can use.
 * The first key signs. There is more than one key only if the nodes have lost the value, and a server wrote another key before a server with the first one was
 * back. Thread-safe.
 *
 * <p>Each server reads the keys every {@value #PERIOD_SECONDS} s, which takes no lock. It writes them if there are none, or if a node has lost its state.
 */
public final class LeaseKeys implements AutoCloseable {

    private static final System.Logger LOG = ServerLogger.get();

    private static final long PERIOD_SECONDS = 20;
    private static final long RETRY_SECONDS = 1;
    private static final long PATIENCE_SECONDS = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final int KEY_BYTES = 32;
    private static final int MOST_KEYS = 8;
    private static final String SEPARATOR = ",";

    private final SharedValue value;
    private final Timing timing;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile List<byte[]> keys = List.of();
    private boolean started;

    /** Creates an instance without keys. */
    public LeaseKeys(Holdfast holdfast, Timing timing) {
        this.value = new SharedValue(holdfast, timing, ServersLocks.KEYS, this::learn);
        this.timing = timing;
    }

    /** Makes a key for a server that shares its nodes with no other. */
    public void startAlone() {
        keys = together("");
    }

    /** Starts to read the keys, at once and then at intervals. */
    public void start() {
        synchronized (this) {
            started = true;
        }
        timing.scheduler().schedule(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), () -> ready.complete(null));
        value.read();
    }

    /** Completes once the keys are known, and in any case 2 s after the start. It is complete if this instance was never started. */
    synchronized CompletionStage<Void> ready() {
        return started ? ready : CompletableFuture.completedStage(null);
    }

    /** Returns the keys, beginning with the one that signs; empty if no majority of nodes has answered yet. */
    List<byte[]> keys() {
        return keys;
    }

    private void learn(Optional<LockStatus> status) {
        if (status.isEmpty()) {
            value.readAfter(TimeUnit.SECONDS.toNanos(RETRY_SECONDS));
        } else if (isKeptByAll(status.get())) {
            known(together(status.get().value().orElse("")));
        } else {
            share();
        }
    }

    /** Returns whether the nodes that answer have taken part in writing all keys. A node that has lost its state has no fence of the lock. */
    private boolean isKeptByAll(LockStatus status) {
        String stored = status.value().orElse("");
        return !stored.isEmpty()
                && text(together(stored)).equals(stored)
                && status.nodes().stream()
                        .flatMap(node -> node.state().stream())
                        .allMatch(state -> state.fence() > 0);
    }

    private void known(List<byte[]> shared) {
        keys = shared;
        ready.complete(null);
        value.readAfter(TimeUnit.SECONDS.toNanos(PERIOD_SECONDS));
    }

    private void share() {
        value.change(LONGEST_WAIT, stored -> Optional.of(text(together(stored))))
                .whenComplete((text, failure) -> {
                    if (text != null && text.isPresent()) {
                        known(together(text.get()));
                    } else {
                        value.readAfter(TimeUnit.SECONDS.toNanos(RETRY_SECONDS));
                    }
                });
    }

    /** Returns the keys of the nodes, then those that only this server knows; a new one if there is none. */
    private List<byte[]> together(String stored) {
        Set<String> texts = new LinkedHashSet<>();
        for (String text : stored.split(SEPARATOR, -1)) {
            if (!text.isEmpty()) {
                texts.add(text);
            }
        }
        keys.forEach(key -> texts.add(Base64.getEncoder().encodeToString(key)));
        List<byte[]> together = new ArrayList<>();
        for (String text : texts) {
            byte[] key = decoded(text);
            if (key.length == KEY_BYTES && together.size() < MOST_KEYS) {
                together.add(key);
            }
        }
        if (together.isEmpty()) {
            byte[] key = new byte[KEY_BYTES];
            timing.random().nextBytes(key);
            together.add(key);
        }
        return List.copyOf(together);
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "The value of ''{0}'' is not a list of keys", ServersLocks.KEYS);
            return new byte[0];
        }
    }

    private static String text(List<byte[]> keys) {
        return String.join(
                SEPARATOR,
                keys.stream().map(Base64.getEncoder()::encodeToString).toList());
    }

    @Override
    public synchronized void close() {
        ready.complete(null);
        value.close();
    }
}
