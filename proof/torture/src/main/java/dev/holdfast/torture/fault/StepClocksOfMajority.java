package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A step of the clocks of a majority, whose votes end early (S6). */
final class StepClocksOfMajority implements Fault {

    @Override
    public String name() {
        return "the clocks of a majority set forward";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(world.majority(), random)) {
            List<RedisProcess> servers = world.redis(claim.numbers());
            Duration step = Lengths.beyondTtl(random);
            try {
                servers.forEach(server -> server.stepClock(step));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(server -> server.stepClock(step.negated()));
            }
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
