package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/**
 * A state loss of every server, but never of two within one quarantine. Clients must heal their leases from server to
 * server.
 */
final class ForgetOneAfterTheOther implements Fault {

    @Override
    public String name() {
        return "servers restarted empty one after the other, each after the quarantine of the previous one";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(3, random)) {
            for (int server : claim.numbers()) {
                world.redis(server).restartEmpty();
                world.rest(Lengths.between(random, 2_500, 3_200));
            }
        }
    }
}
