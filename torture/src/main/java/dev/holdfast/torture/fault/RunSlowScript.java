package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server does nothing else for a while, and answers BUSY (S29). */
final class RunSlowScript implements Fault {

    /** It counts, since neither the processor's time nor the clock can be asked in every version: some 20 ns for each step. */
    private static final String SCRIPT = "for i = 1, tonumber(ARGV[1]) do end return 1";

    @Override
    public String name() {
        return "slow script of somebody else (BUSY)";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            for (int i = 0; i < 3; i++) {
                world.server(claim.number())
                        .send("EVAL", SCRIPT, "0", Integer.toString(random.nextInt(10_000_000, 80_000_000)));
                world.rest(Lengths.blink(random));
            }
        }
    }
}
