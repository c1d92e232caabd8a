package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Another client that fills a server: the server rejects commands that need memory, and executes the rest (S29). */
final class RunOutOfMemory implements Fault {

    @Override
    public String name() {
        return "maxmemory reached (OOM)";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<RedisProcess> servers = world.redis(claim.numbers());
            try {
                servers.forEach(server -> server.faults().fillMemory("noeviction"));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(server -> server.faults().freeMemory());
            }
        }
    }
}
