package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** Nobody can get a lock, and everything is forgotten (as after a power cut without files). */
final class KillMajority implements Fault {

    @Override
    public String name() {
        return "a majority of the servers killed, restarted empty";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(world.majority(), random)) {
            world.servers(claim.numbers()).forEach(RedisProcess::kill);
            world.rest(Lengths.blink(random));
            world.servers(claim.numbers()).forEach(RedisProcess::restartEmpty);
            world.rest(Lengths.beyondTtl(random));
        }
    }
}
