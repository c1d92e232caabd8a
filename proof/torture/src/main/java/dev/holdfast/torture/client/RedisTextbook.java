package dev.holdfast.torture.client;

import dev.holdfast.testkit.textbook.TextbookRedlock;
import dev.holdfast.time.Timing;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The textbook client with its connections to real servers. The settings of the driver favour it: the driver reconnects
 * at once, and never repeats a command. Connections open in the background; until then a server counts as down.
 */
public final class RedisTextbook implements AutoCloseable {

    private static final Duration RECONNECT_DELAY = Duration.ofMillis(50);

    private final Timing timing = Timing.system("textbook");
    private final ClientResources resources;
    private final RedisClient client;
    private final TextbookRedlock redlock;

    /**
     * Creates a client of these servers, such as {@code redis://host:6379}; the two times are those of
     * {@link TextbookRedlock}.
     */
    public RedisTextbook(List<String> servers, Duration nodeTimeout, Duration longestRetryDelay) {
        resources = ClientResources.builder()
                .reconnectDelay(Delay.constant(RECONNECT_DELAY))
                .build();
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build());
        List<RedisKeyNode> nodes = servers.stream()
                .map(address -> new RedisKeyNode(client, address, timing.scheduler()))
                .toList();
        redlock = new TextbookRedlock(List.copyOf(nodes), timing, nodeTimeout, longestRetryDelay);
    }

    /** Returns the client itself. */
    public TextbookRedlock redlock() {
        return redlock;
    }

    Timing timing() {
        return timing;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        resources.shutdown(0, 1, TimeUnit.SECONDS);
        timing.scheduler().close();
    }
}
