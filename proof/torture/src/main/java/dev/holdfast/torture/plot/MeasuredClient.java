package dev.holdfast.torture.plot;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.torture.client.RedisTextbook;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A client to measure: Holdfast or the textbook client, with the same ttl and the same node timeout. */
interface MeasuredClient extends AutoCloseable {

    /** A kind of client: its name in tables and charts, and the way to create one. */
    enum Kind {
        HOLDFAST("Holdfast") {
            @Override
            MeasuredClient connect(RedisProcesses servers) {
                return new OfHoldfast(servers);
            }
        },
        TEXTBOOK("textbook") {
            @Override
            MeasuredClient connect(RedisProcesses servers) {
                return new OfTextbook(servers);
            }
        };

        final String title;

        Kind(String title) {
            this.title = title;
        }

        abstract MeasuredClient connect(RedisProcesses servers);
    }

    /** The ttl of all leases here: longer than any of them is held. */
    Duration TTL = Duration.ofSeconds(30);

    /** The longest node timeout that the Redis documentation suggests. */
    Duration NODE_TIMEOUT = Duration.ofMillis(50);

    /** The longest retry delay of the textbook client, which is that of the reference implementation for Ruby. */
    Duration LONGEST_RETRY_DELAY = Duration.ofMillis(200);

    /** A held lock. */
    interface Held {

        /** Releases the lock. Completes when the client has sent the release to all nodes that it can reach. */
        CompletionStage<?> release();
    }

    /** Acquires the lock. Completes with the lock, or empty without a majority of nodes or at the end of the wait. */
    CompletableFuture<Optional<Held>> acquire(String lock, Duration wait);

    @Override
    void close();

    private static List<String> addresses(RedisProcesses servers) {
        return servers.uris().stream().map(URI::toString).toList();
    }

    /**
     * Holdfast. A failure for any other reason than a missing majority is not a result here, and throws an exception.
     */
    final class OfHoldfast implements MeasuredClient {

        private final Holdfast holdfast;

        OfHoldfast(RedisProcesses servers) {
            holdfast = Holdfast.builder()
                    .nodes(addresses(servers))
                    .ttl(TTL)
                    .nodeOptions(NodeOptions.defaults().timeout(NODE_TIMEOUT))
                    .connect();
        }

        @Override
        public CompletableFuture<Optional<Held>> acquire(String lock, Duration wait) {
            return holdfast.lock(lock).tryAcquireAsync(wait).thenApply(OfHoldfast::held);
        }

        private static Optional<Held> held(Acquisition acquisition) {
            if (acquisition instanceof Acquisition.Refused refused) {
                if (refused.refusal().reason() != Refusal.Reason.NO_QUORUM) {
                    throw new IllegalStateException(refused.refusal().message());
                }
                return Optional.empty();
            }
            return Optional.of(acquisition.lease()::releaseAsync);
        }

        @Override
        public void close() {
            holdfast.close();
        }
    }

    /** The textbook client. */
    final class OfTextbook implements MeasuredClient {

        private final RedisTextbook textbook;

        OfTextbook(RedisProcesses servers) {
            textbook = new RedisTextbook(addresses(servers), NODE_TIMEOUT, LONGEST_RETRY_DELAY);
        }

        @Override
        public CompletableFuture<Optional<Held>> acquire(String lock, Duration wait) {
            return textbook.redlock().acquire(lock, TTL, wait).thenApply(lease -> lease.map(held -> held::release));
        }

        @Override
        public void close() {
            textbook.close();
        }
    }
}
