package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.SlowScript;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server that is busy with one script for a while, and answers BUSY (S29). */
final class RunSlowScript implements Fault {

    @Override
    public String name() {
        return "slow script of another program (BUSY)";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            for (int i = 0; i < 3; i++) {
                try (SlowScript running = world.redis(claim.number()).faults().runSlowScript()) {
                    world.rest(Lengths.between(random, 50, 1_500));
                }
                world.rest(Lengths.blink(random));
            }
        }
    }
}
