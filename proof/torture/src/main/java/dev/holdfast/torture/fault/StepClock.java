package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.Random;

/**
 * A step of one server's clock, so its votes end too early or too late. Clients check its clock, and quarantine the
 * server when they see the step (S7, S8).
 */
final class StepClock implements Fault {

    @Override
    public String name() {
        return "a server's clock set forward or back";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            RedisProcess server = world.redis(claim.number());
            Duration step = Lengths.step(random);
            try {
                server.stepClock(step);
                world.rest(Lengths.aroundTtl(random));
            } finally {
                server.stepClock(step.negated());
            }
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
