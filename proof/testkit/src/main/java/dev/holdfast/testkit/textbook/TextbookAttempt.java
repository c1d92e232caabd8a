package dev.holdfast.testkit.textbook;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The tries of one call for one key. Its steps follow each other, so no two run concurrently. */
final class TextbookAttempt {

    private static final int VALUE_BYTES = 20;

    private final TextbookRedlock client;
    private final String key;
    private final String value;
    private final long ttlMillis;
    private final long beganNanos;
    private final long waitNanos;
    private final CompletableFuture<Optional<TextbookLease>> outcome = new CompletableFuture<>();

    TextbookAttempt(TextbookRedlock client, String key, long ttlMillis, long waitNanos) {
        this.client = client;
        this.key = key;
        this.ttlMillis = ttlMillis;
        this.waitNanos = waitNanos;
        this.beganNanos = client.nanos();
        byte[] random = new byte[VALUE_BYTES];
        client.timing().random().nextBytes(random);
        this.value = HexFormat.of().formatHex(random);
    }

    CompletableFuture<Optional<TextbookLease>> outcome() {
        return outcome;
    }

    void begin() {
        long start = client.nanos();
        client.askAll(node -> node.setIfAbsent(key, value, ttlMillis)).thenAccept(yes -> judge(start, yes));
    }

    private void judge(long start, int yes) {
        long validUntil = client.validUntilNanos(start, ttlMillis);
        TextbookLease lease = new TextbookLease(client, key, value, validUntil);
        if (!client.isMajority(yes) || !lease.isHeld()) {
            lease.release().thenRun(this::tryLater);
        } else if (!outcome.complete(Optional.of(lease))) {
            lease.release();
        }
    }

    private void tryLater() {
        long delay = client.timing().random().nextLong(client.longestDelayNanos());
        if (client.nanos() + delay - beganNanos >= waitNanos) {
            outcome.complete(Optional.empty());
        } else if (!outcome.isDone()) {
            client.timing().scheduler().schedule(delay, this::begin);
        }
    }
}
