package dev.holdfast.redis;

import dev.holdfast.node.Epoch;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.redis.connection.Link;
import dev.holdfast.redis.script.LockKeys;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * LIST at a server, for tools that people use. It scans all keys with SCAN, a thousand at a time, and keeps the first names in order.
 *
 * <p>It never blocks the server for long, but it sends one request for every thousand keys.
 */
final class KeyScan {

    private static final int KEYS_AT_A_TIME = 1000;

    private final Link link;
    private final String prefix;
    private final int limit;
    private final ScanArgs args;
    private final TreeSet<String> names = new TreeSet<>();
    private boolean complete = true;

    KeyScan(Link link, String prefix, int limit) {
        this.link = link;
        this.prefix = prefix;
        this.limit = limit;
        String literal = prefix.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1");
        this.args = ScanArgs.Builder.limit(KEYS_AT_A_TIME)
                .match("*" + literal + "*"); // a side key has the prefix further in
    }

    CompletionStage<ListAnswer> names() {
        return from(ScanCursor.INITIAL);
    }

    private CompletionStage<ListAnswer> from(ScanCursor cursor) {
        return link.scan(cursor, args).thenCompose(found -> {
            take(found);
            return found.isFinished()
                    ? CompletableFuture.completedFuture(new ListAnswer.Names(List.copyOf(names), complete))
                    : from(found);
        });
    }

    private void take(KeyScanCursor<String> found) {
        for (String key : found.getKeys()) {
            LockKeys.lockInUse(key)
                    .filter(name -> name.startsWith(prefix) && !name.equals(Epoch.KEY))
                    .ifPresent(names::add);
        }
        while (names.size() > limit) {
            names.pollLast();
            complete = false;
        }
    }
}
