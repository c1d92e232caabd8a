package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** kill -9 loses nothing that the system has in its cache, so the last second of an append-only file is cut off (S4). */
final class TruncateFile implements Fault {

    @Override
    public String name() {
        return "server killed, restarted from a file without its end";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            RedisProcess server = world.server(claim.number());
            server.kill();
            server.truncateAof(random.nextInt(1, 20_000));
            server.restart();
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
