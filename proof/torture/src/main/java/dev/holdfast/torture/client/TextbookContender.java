package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.textbook.TextbookLease;
import java.time.Duration;
import java.util.Optional;

/** The textbook client on real servers. */
final class TextbookContender implements Contender {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_RETRY_DELAY = Duration.ofMillis(200);

    private final RedisTextbook textbook;

    TextbookContender(ClientSettings settings) {
        textbook = new RedisTextbook(settings.nodes(), NODE_TIMEOUT, LONGEST_RETRY_DELAY);
    }

    @Override
    public Optional<Holding> acquire(Wish wish, AttemptId who) {
        return textbook.redlock()
                .acquire(wish.lock(), wish.ttl(), wish.patience())
                .join()
                .map(lease -> held(lease, wish));
    }

    private Holding held(TextbookLease lease, Wish wish) {
        Held held = new Held(lease, wish.ttl());
        if (wish.autoExtend()) {
            extendLater(held);
        }
        return held;
    }

    /** Extends the lock after a third of the ttl for as long as it is held, as Holdfast does automatically. */
    private void extendLater(Held held) {
        textbook.timing().scheduler().schedule(held.ttl.toNanos() / 3, () -> {
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
        public boolean release() {
            lease.release().join();
            return false;
        }
    }

    @Override
    public void close() {
        textbook.close();
    }
}
