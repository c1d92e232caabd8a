package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A kill -9 and a restart without data. Quarantine must prevent the server from voting (S3, S25). */
final class KillAndRestartEmpty implements Fault {

    @Override
    public String name() {
        return "server killed, restarted empty";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            world.redis(claim.numbers()).forEach(RedisProcess::kill);
            world.rest(Lengths.blink(random));
            world.redis(claim.numbers()).forEach(RedisProcess::restartEmpty);
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
