package dev.holdfast.benchmarks.side;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** A connection to each server, shared by all threads. Thread-safe. */
final class LettuceNodes implements AutoCloseable {

    private final ClientResources resources;
    private final RedisClient client;
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();

    LettuceNodes(List<String> nodes, ClientResources resources) {
        this.resources = resources;
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        for (String node : nodes) {
            connections.add(client.connect(RedisURI.create(node)));
        }
    }

    /** Asks all servers at once, and returns whether a majority agreed. */
    <T> boolean ask(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> question, Predicate<T> agrees)
            throws InterruptedException {
        List<RedisFuture<T>> answers = new ArrayList<>(connections.size());
        for (StatefulRedisConnection<String, String> connection : connections) {
            answers.add(question.apply(connection.async()));
        }
        return MajorityWait.of(answers, agrees);
    }

    /** Asks as {@link #ask} does, but throws an exception without a majority. */
    <T> void askToTheEnd(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> question, Predicate<T> agrees) {
        try {
            if (!ask(question, agrees)) {
                throw new IllegalStateException("no majority");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Loads a script into every server, and returns its digest. */
    String digest(String script) {
        return connections.stream()
                .map(connection -> connection.sync().scriptLoad(script))
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        client.shutdown();
        resources.shutdown();
    }
}
