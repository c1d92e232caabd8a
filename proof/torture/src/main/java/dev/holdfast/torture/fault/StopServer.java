package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Connections stay, nothing is answered, and what was sent is done later, as on a machine that is frozen. */
final class StopServer implements Fault {

    @Override
    public String name() {
        return "server stopped (SIGSTOP) and continued";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<RedisProcess> servers = world.servers(claim.numbers());
            try {
                servers.forEach(RedisProcess::pause);
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(RedisProcess::resume);
            }
        }
    }
}
