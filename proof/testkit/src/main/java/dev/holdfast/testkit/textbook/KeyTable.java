package dev.holdfast.testkit.textbook;

import dev.holdfast.time.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The data of a server for the textbook client: keys with a value and an expiry. A pure class; the caller passes the
 * time. Thread-safe.
 *
 * <p>As in Redis, a key exists up to and including its last millisecond, by the server's wall clock.
 */
public final class KeyTable {

    private record Entry(String value, long lastMillis) {}

    private final Map<String, Entry> entries = new HashMap<>();

    /** Sets the key if it does not exist, and returns whether it did so. */
    public synchronized boolean setIfAbsent(String key, String value, long ttlMillis, long nowMillis) {
        requireTtl(ttlMillis);
        if (value(key, nowMillis) != null) {
            return false;
        }
        entries.put(key, new Entry(value, nowMillis + ttlMillis));
        return true;
    }

    /** Deletes the key if it holds this value, and returns whether it did so. */
    public synchronized boolean deleteIfEqual(String key, String value, long nowMillis) {
        return value.equals(value(key, nowMillis)) && entries.remove(key) != null;
    }

    /** Sets the key to expire {@code ttlMillis} from now if it holds this value, and returns whether it did so. */
    public synchronized boolean expireIfEqual(String key, String value, long ttlMillis, long nowMillis) {
        requireTtl(ttlMillis);
        if (!value.equals(value(key, nowMillis))) {
            return false;
        }
        entries.put(key, new Entry(value, nowMillis + ttlMillis));
        return true;
    }

    /** Returns the value of the key; {@code null} if there is none. */
    public synchronized @Nullable String value(String key, long nowMillis) {
        Entry entry = entries.get(key);
        if (entry != null && nowMillis > entry.lastMillis) {
            entries.remove(key);
            return null;
        }
        return entry == null ? null : entry.value;
    }

    /** Returns the number of keys. */
    public synchronized int size(long nowMillis) {
        entries.values().removeIf(entry -> nowMillis > entry.lastMillis);
        return entries.size();
    }

    /** Deletes everything, as a server does that restarts without its data. */
    public synchronized void clear() {
        entries.clear();
    }

    /** Returns a node that asks this table, by the time of this clock, and answers at once. */
    public KeyNode node(Ticker clock) {
        return new KeyNode() {
            @Override
            public CompletionStage<KeyAnswer> setIfAbsent(String key, String value, long ttlMillis) {
                return said(KeyTable.this.setIfAbsent(key, value, ttlMillis, clock.wallMillis()));
            }

            @Override
            public CompletionStage<KeyAnswer> deleteIfEqual(String key, String value) {
                return said(KeyTable.this.deleteIfEqual(key, value, clock.wallMillis()));
            }

            @Override
            public CompletionStage<KeyAnswer> expireIfEqual(String key, String value, long ttlMillis) {
                return said(KeyTable.this.expireIfEqual(key, value, ttlMillis, clock.wallMillis()));
            }
        };
    }

    private static CompletionStage<KeyAnswer> said(boolean yes) {
        return CompletableFuture.completedStage(yes ? KeyAnswer.YES : KeyAnswer.NO);
    }

    private static void requireTtl(long ttlMillis) {
        if (ttlMillis < 1) {
            throw new IllegalArgumentException("ttlMillis is " + ttlMillis + ", but must be at least 1");
        }
    }
}
