package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/**
 * An operator's deletion of all keys; the server keeps running. Holdfast does not promise to survive it: clients notice
 * it a moment later (S23).
 */
final class FlushAll implements Fault {

    @Override
    public String name() {
        return "FLUSHALL of a server";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            world.redis(claim.number()).flushAll();
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
