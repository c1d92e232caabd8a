package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A step of a clock in the intersection of two majorities. A lease can only have votes of three of the five servers;
 * the votes of one of these end early (S5).
 */
final class StepClockInTheIntersection implements Fault {

    @Override
    public String name() {
        return "two servers unreachable, a third one's clock set forward as they come back";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(3, random)) {
            RedisProcess steps = world.redis(claim.numbers().get(0));
            List<TcpProxy> links = world.network().toServers(claim.numbers().subList(1, 3));
            Duration step = Lengths.beyondTtl(random);
            try {
                links.forEach(TcpProxy::refuse);
                links.forEach(link -> link.cut(Disconnect.RST));
                world.rest(Lengths.beyondTtl(random));
                steps.stepClock(step);
            } finally {
                links.forEach(TcpProxy::pass);
            }
            world.rest(Lengths.aroundTtl(random));
            steps.stepClock(step.negated());
        }
    }
}
