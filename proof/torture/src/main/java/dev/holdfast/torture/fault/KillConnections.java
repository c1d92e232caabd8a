package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server that closes its connections: those for pushes alone, or all of them. */
final class KillConnections implements Fault {

    @Override
    public String name() {
        return "CLIENT KILL of all connections";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(3), random)) {
            for (int i = 0; i < 3; i++) {
                boolean all = random.nextBoolean();
                for (RedisProcess server : world.redis(claim.numbers())) {
                    server.faults().killSubscribers();
                    if (all) {
                        server.faults().killClients();
                    }
                }
                world.rest(Lengths.blink(random));
            }
        }
    }
}
