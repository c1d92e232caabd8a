package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.Who;
import dev.holdfast.testkit.textbook.TextbookLease;
import dev.holdfast.testkit.textbook.TextbookRedlock;
import dev.holdfast.time.Timing;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The textbook client on real servers. The driver is told to be as kind as it can: it connects again at once, and repeats nothing that
 * was sent before.
 */
final class TextbookContender implements Contender {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_RETRY_DELAY = Duration.ofMillis(200);
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(50);

    private final Timing timing = Timing.system("textbook");
    private final ClientResources resources;
    private final RedisClient client;
    private final TextbookRedlock redlock;

    TextbookContender(ClientSettings settings) {
        resources = ClientResources.builder()
                .reconnectDelay(Delay.constant(RECONNECT_DELAY))
                .build();
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build());
        List<RedisKeyNode> nodes = settings.nodes().stream()
                .map(address -> new RedisKeyNode(client, address, timing.scheduler()))
                .toList();
        redlock = new TextbookRedlock(List.copyOf(nodes), timing, NODE_TIMEOUT, LONGEST_RETRY_DELAY);
    }

    @Override
    public Optional<Holding> acquire(Wish wish, Who who) {
        return redlock.acquire(wish.lock(), wish.ttl(), wish.patience()).join().map(lease -> held(lease, wish));
    }

    private Holding held(TextbookLease lease, Wish wish) {
        Held held = new Held(lease, wish.ttl());
        if (wish.autoExtend()) {
            extendLater(held);
        }
        return held;
    }

    /** As Holdfast does by itself: at a third of the ttl, for as long as it is held. */
    private void extendLater(Held held) {
        timing.scheduler().schedule(held.ttl.toNanos() / 3, () -> {
            if (held.isHeld()) {
                held.lease.extend(held.ttl).thenRun(() -> extendLater(held));
            }
        });
    }

    private record Held(TextbookLease lease, Duration ttl) implements Holding {

        @Override
        public long token() {
            return 0;
        }

        @Override
        public long validUntilNanos() {
            return lease.validUntilNanos();
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public void extend() {
            lease.extend(ttl).join();
        }

        @Override
        public void release() {
            lease.release().join();
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        resources.shutdown(0, 1, TimeUnit.SECONDS);
        timing.scheduler().close();
    }
}
