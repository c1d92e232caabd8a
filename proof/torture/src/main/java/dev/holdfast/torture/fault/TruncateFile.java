package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/**
 * A kill -9 and a loss of the last second of the append-only file. The kill alone loses nothing that is in the system's
 * cache, so the fault cuts the file (S4).
 */
final class TruncateFile implements Fault {

    @Override
    public String name() {
        return "server killed, restarted from a file without its end";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            RedisProcess server = world.redis(claim.number());
            server.kill();
            server.truncateAof(random.nextInt(1, 20_000));
            server.restart();
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
