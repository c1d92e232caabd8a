package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server does nothing else for a while, and answers BUSY (S29). */
final class RunSlowScript implements Fault {

    private static final String SCRIPT =
            "local till = os.clock() + tonumber(ARGV[1]) while os.clock() < till do end return 1";

    @Override
    public String name() {
        return "slow script of somebody else (BUSY)";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            for (int i = 0; i < 3; i++) {
                world.server(claim.number()).send("EVAL", SCRIPT, "0", "0." + random.nextInt(1, 10));
                world.rest(Lengths.blink(random));
            }
        }
    }
}
