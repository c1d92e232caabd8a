package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A state loss of a majority, as after a power cut without files. Until the restart, no client can acquire a lock. */
final class KillMajority implements Fault {

    @Override
    public String name() {
        return "a majority of the servers killed, restarted empty";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(world.majority(), random)) {
            world.redis(claim.numbers()).forEach(RedisProcess::kill);
            world.rest(Lengths.blink(random));
            world.redis(claim.numbers()).forEach(RedisProcess::restartEmpty);
            world.rest(Lengths.beyondTtl(random));
        }
    }
}
