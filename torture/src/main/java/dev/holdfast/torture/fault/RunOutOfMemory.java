package dev.holdfast.torture.fault;

import dev.holdfast.testkit.redis.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Servers refuse whatever needs memory, and still do the rest (S29). */
final class RunOutOfMemory implements Fault {

    @Override
    public String name() {
        return "maxmemory reached (OOM)";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<RedisProcess> servers = world.servers(claim.numbers());
            try {
                servers.forEach(server -> server.send("CONFIG", "SET", "maxmemory", "1"));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(server -> server.send("CONFIG", "SET", "maxmemory", "0"));
            }
        }
    }
}
