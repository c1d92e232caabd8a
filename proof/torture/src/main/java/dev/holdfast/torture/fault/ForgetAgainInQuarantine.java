package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server that loses its state, and loses it again within its first quarantine. */
final class ForgetAgainInQuarantine implements Fault {

    @Override
    public String name() {
        return "server restarted empty again within its quarantine";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            for (int i = 0; i < 3; i++) {
                world.redis(claim.number()).restartEmpty();
                world.rest(Lengths.between(random, 200, 1_800));
            }
        }
    }
}
