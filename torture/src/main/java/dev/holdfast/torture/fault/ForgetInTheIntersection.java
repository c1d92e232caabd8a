package dev.holdfast.torture.fault;

import dev.holdfast.testkit.redis.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** A lease can only have three of the five; one of these forgets, and the other two come back (S3, S25). */
final class ForgetInTheIntersection implements Fault {

    @Override
    public String name() {
        return "two servers stopped, then a third restarted with nothing as they go on";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(3, random)) {
            RedisProcess forgets = world.server(claim.numbers().get(0));
            List<RedisProcess> away = world.servers(claim.numbers().subList(1, 3));
            try {
                away.forEach(RedisProcess::pause);
                world.rest(Lengths.beyondTtl(random));
                forgets.kill();
                forgets.restartEmpty();
            } finally {
                away.forEach(RedisProcess::resume);
            }
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
