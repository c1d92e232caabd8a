package dev.holdfast.redis;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.connection.RedisAddress;
import dev.holdfast.redis.connection.ServerInfo;
import dev.holdfast.redis.script.Reply;
import dev.holdfast.time.Timing;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A request for a server's status, for tools that people use: its clock and, if the server reports it, its INFO. */
final class StatusQuery {

    private final RedisAddress address;
    private final ServerState.Up up;
    private final Timing timing;
    private final long quarantineMillis;

    StatusQuery(RedisAddress address, ServerState.Up up, Timing timing, long quarantineMillis) {
        this.address = address;
        this.up = up;
        this.timing = timing;
        this.quarantineMillis = quarantineMillis;
    }

    private record Clock(long roundTripNanos, long offsetMillis) {}

    CompletionStage<NodeStatus> ask() {
        CompletionStage<Clock> clock = clock();
        CompletionStage<String> all = section("server")
                .thenCombine(section("replication"), String::concat)
                .thenCombine(section("memory"), String::concat);
        return clock.thenCombine(all, (reading, info) -> status(reading, new ServerInfo(List.of(info))));
    }

    private CompletionStage<Clock> clock() {
        long sent = timing.ticker().nanos();
        return up.link().list(CommandType.TIME).thenApply(answer -> {
            long roundTrip = timing.ticker().nanos() - sent;
            Reply time = new Reply(answer);
            long serverMillis = time.number(0) * 1000 + time.number(1) / 1000;
            return new Clock(
                    roundTrip,
                    serverMillis + roundTrip / 2_000_000 - timing.ticker().wallMillis());
        });
    }

    /** Returns a section of INFO; empty if the server does not report it. */
    private CompletionStage<String> section(String name) {
        return up.link().info(name).exceptionally(refused -> "").thenApply(text -> text + "\n");
    }

    private NodeStatus status(Clock clock, ServerInfo info) {
        List<String> warnings = new ArrayList<>(info.warnings());
        up.facts().warnings().stream()
                .filter(known -> !warnings.contains(known))
                .forEach(warnings::add);
        warnings.addAll(up.link().missingRights());
        switch (address.kind()) {
            case SENTINEL -> warnings.add(RedisNodeProvider.SENTINEL_WARNING);
            case CLUSTER -> warnings.add(RedisNodeProvider.CLUSTER_WARNING);
            case SERVER, SOCKET -> {}
        }
        return new NodeStatus(
                address.name(),
                quarantineMillis > 0 ? NodeStatus.State.QUARANTINED : NodeStatus.State.UP,
                quarantineMillis > 0
                        ? "may have lost its state; its votes count in "
                                + DurationText.of(Duration.ofMillis(quarantineMillis))
                        : "",
                Duration.ofNanos(clock.roundTripNanos),
                Duration.ofMillis(quarantineMillis),
                new NodeStatus.Server(
                        up.facts().serverId(),
                        info.version() != null ? info.version() : up.facts().version(),
                        Durations.ofMillis(info.uptimeMillis()),
                        Duration.ofMillis(clock.offsetMillis),
                        up.facts().persistence(),
                        warnings));
    }
}
