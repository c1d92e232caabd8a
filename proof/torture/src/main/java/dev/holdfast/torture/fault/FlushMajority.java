package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** An operator's deletion of all keys of three of five servers at once (S23). */
final class FlushMajority implements Fault {

    @Override
    public String name() {
        return "FLUSHALL of a majority";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(world.majority(), random)) {
            world.redis(claim.numbers()).forEach(RedisProcess::flushAll);
            world.rest(Lengths.beyondTtl(random));
        }
    }
}
