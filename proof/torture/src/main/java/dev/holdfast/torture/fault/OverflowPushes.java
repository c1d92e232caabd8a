package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** A publisher that sends more than the limit on every channel, so the server disconnects all subscribers (S26). */
final class OverflowPushes implements Fault {

    private static final long TIGHT_BYTES = 32 * 1024;
    private static final long UNLIMITED = 0;
    private static final String TOO_MUCH = "x".repeat(200_000);

    @Override
    public String name() {
        return "subscribers disconnected at the output-buffer limit";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(3), random)) {
            List<RedisProcess> servers = world.redis(claim.numbers());
            try {
                servers.forEach(server -> server.faults().limitPushBuffer(TIGHT_BYTES));
                for (int i = 0; i < 3; i++) {
                    servers.forEach(OverflowPushes::publishTooMuch);
                    world.rest(Lengths.blink(random));
                }
            } finally {
                servers.forEach(server -> server.faults().limitPushBuffer(UNLIMITED));
            }
        }
    }

    private static void publishTooMuch(RedisProcess server) {
        if (server.send("PUBSUB", "CHANNELS") instanceof List<?> channels) {
            channels.forEach(channel -> server.send("PUBLISH", String.valueOf(channel), TOO_MUCH));
        }
    }
}
