package dev.holdfast.redis;

import dev.holdfast.node.ListAnswer;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * LIST at a server, for people: goes through all keys by SCAN, a thousand at a time, and keeps the first names in order. Never blocks the
 * server for long, but asks it as often as it has thousands of keys.
 */
final class KeyScan {

    private static final String KEYS_AT_A_TIME = "1000";

    private final Link link;
    private final String prefix;
    private final int limit;
    private final String pattern;
    private final TreeSet<String> names = new TreeSet<>();
    private boolean complete = true;

    KeyScan(Link link, String prefix, int limit) {
        this.link = link;
        this.prefix = prefix;
        this.limit = limit;
        this.pattern = "*" + prefix.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1") + "*"; // side keys have it further in
    }

    CompletionStage<ListAnswer> names() {
        return from("0");
    }

    private CompletionStage<ListAnswer> from(String cursor) {
        return link.list(CommandType.SCAN, cursor, "MATCH", pattern, "COUNT", KEYS_AT_A_TIME)
                .thenCompose(answer -> {
                    Reply reply = new Reply(answer);
                    take(reply.list(1));
                    String next = reply.text(0);
                    return next.equals("0")
                            ? CompletableFuture.completedFuture(new ListAnswer.Names(List.copyOf(names), complete))
                            : from(next);
                });
    }

    private void take(Reply keys) {
        for (int i = 0; i < keys.size(); i++) {
            LockKeys.lockInUse(keys.text(i))
                    .filter(name -> name.startsWith(prefix) && !name.equals(Epoch.KEY))
                    .ifPresent(names::add);
        }
        while (names.size() > limit) {
            names.pollLast();
            complete = false;
        }
    }
}
