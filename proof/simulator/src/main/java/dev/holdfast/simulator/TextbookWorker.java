package dev.holdfast.simulator;

import dev.holdfast.testkit.textbook.KeyAnswer;
import dev.holdfast.testkit.textbook.KeyNode;
import dev.holdfast.testkit.textbook.TextbookLease;
import dev.holdfast.testkit.textbook.TextbookRedlock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** A worker that acquires locks as the Redis documentation describes it, on the same machines and the same network. */
final class TextbookWorker extends Worker {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofMillis(50);

    private final TextbookRedlock redlock;
    private final Map<Turn, TextbookLease> leases = new HashMap<>();

    TextbookWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
        List<KeyNode> nodes = client.links().stream().<KeyNode>map(Keys::new).toList();
        this.redlock = new TextbookRedlock(nodes, client.machine().timing(), NODE_TIMEOUT, LONGEST_DELAY);
    }

    @Override
    void ask(Turn turn, Duration wait) {
        redlock.acquire(turn.lock.name(), Duration.ofMillis(turn.wish.ttlMillis()), wait)
                .thenAccept(made -> made.ifPresentOrElse(lease -> had(turn, lease), () -> refused(turn, "taken")));
    }

    private void had(Turn turn, TextbookLease lease) {
        leases.put(turn, lease);
        turn.belief = lease::isHeld;
        work(turn);
    }

    @Override
    void extend(Turn turn) {
        TextbookLease lease = leases.get(turn);
        if (lease != null) {
            lease.extend(Duration.ofMillis(turn.wish.ttlMillis()));
        }
    }

    @Override
    void giveBack(Turn turn) {
        TextbookLease lease = leases.remove(turn);
        if (lease != null) {
            lease.release();
        }
    }

    /** A node's plain keys. */
    private record Keys(SimLink link) implements KeyNode {

        @Override
        public CompletionStage<KeyAnswer> setIfAbsent(String key, String value, long ttlMillis) {
            return ask((keys, now) -> keys.setIfAbsent(key, value, ttlMillis, now));
        }

        @Override
        public CompletionStage<KeyAnswer> deleteIfEqual(String key, String value) {
            return ask((keys, now) -> keys.deleteIfEqual(key, value, now));
        }

        @Override
        public CompletionStage<KeyAnswer> expireIfEqual(String key, String value, long ttlMillis) {
            return ask((keys, now) -> keys.expireIfEqual(key, value, ttlMillis, now));
        }

        private CompletionStage<KeyAnswer> ask(SimServer.KeyStep step) {
            return link.askPlainly(server -> server.keys(step), KeyAnswer.UNKNOWN);
        }
    }
}
