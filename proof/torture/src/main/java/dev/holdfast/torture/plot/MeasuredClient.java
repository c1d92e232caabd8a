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

/** Holdfast or the textbook client, with the same ttl and the same time for a node to answer. */
interface MeasuredClient extends AutoCloseable {

    /** A client that is measured: its name in tables and charts, and how one is made. */
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

    /** Of all leases here: longer than any of them is held. */
    Duration TTL = Duration.ofSeconds(30);

    /** The longest that the Redis documentation has in mind. */
    Duration NODE_TIMEOUT = Duration.ofMillis(50);

    /** Of the textbook client; the reference implementation for Ruby waits for as long. */
    Duration LONGEST_RETRY_DELAY = Duration.ofMillis(200);

    /** A lock that is held. */
    interface Held {

        /** Gives it back; completes when the nodes were told, as far as they could be. */
        CompletionStage<?> release();
    }

    /** Completes with the lock, or empty if there is no majority of nodes, or none was got before the end of the wait. */
    CompletableFuture<Optional<Held>> acquire(String lock, Duration wait);

    @Override
    void close();

    private static List<String> addresses(RedisProcesses servers) {
        return servers.uris().stream().map(URI::toString).toList();
    }

    /** Holdfast. Refusals for any other reason than a missing majority are no result here, and fail. */
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
