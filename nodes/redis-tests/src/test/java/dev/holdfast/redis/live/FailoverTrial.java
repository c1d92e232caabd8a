package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client of a mutant. It understands the words of {@link MutantClient}, which is in another class loader. */
public final class FailoverTrial implements Function<String, String> {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final long SOON_NANOS = 60_000_000_000L;

    private @Nullable Holdfast client;
    private @Nullable Lease lease;

    /** For a loader of mutants. */
    public FailoverTrial() {}

    @Override
    public String apply(String command) {
        List<String> words = Arrays.asList(command.split(" "));
        try {
            return switch (words.get(0)) {
                case "connect" -> connect(words);
                case "turn" -> turn(words.get(1));
                case "acquire" -> acquire(words.get(1));
                case "holds" -> Boolean.toString(lease != null && lease.isHeld());
                case "nodes" -> nodes();
                case "close" -> close();
                default -> throw new IllegalArgumentException(command);
            };
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Holdfast client() {
        if (client == null) {
            throw new IllegalStateException("not connected");
        }
        return client;
    }

    private String connect(List<String> words) {
        HoldfastBuilder settings = Holdfast.builder()
                .nodes(words.subList(2, words.size()))
                .lockOptions(options -> options.ttl(TTL).autoExtend(false).localHandOver(false))
                .fenceRetention(TTL.multipliedBy(2))
                .restartQuarantine(Duration.ofMillis(Long.parseLong(words.get(1))));
        client = settings.connect();
        return "";
    }

    /** Acquires and releases the lock once, however long the nodes are down; returns the token. */
    private String turn(String lock) throws InterruptedException {
        for (long end = System.nanoTime() + SOON_NANOS; System.nanoTime() - end < 0; ) {
            try (Acquisition acquisition = client().lock(lock).tryAcquire(Duration.ofSeconds(2))) {
                if (acquisition.isHeld()) {
                    return Long.toString(acquisition.lease().fencingToken());
                }
            } catch (HoldfastException e) {
                // The node is down for a moment.
            }
        }
        throw new IllegalStateException("no turn on " + lock + ": " + nodes());
    }

    /** Acquires the lock and keeps it; returns nothing, or the refusal. */
    private String acquire(String lock) throws InterruptedException {
        Acquisition acquisition = client().lock(lock).tryAcquire();
        if (acquisition instanceof Acquisition.Held held) {
            lease = held.lease();
            return "";
        }
        return acquisition.toString();
    }

    private String nodes() throws InterruptedException {
        return client().admin().nodes().stream()
                .map(node -> node.state().toString())
                .collect(Collectors.joining(" "));
    }

    private String close() {
        if (client != null) {
            client.close();
        }
        return "";
    }
}
