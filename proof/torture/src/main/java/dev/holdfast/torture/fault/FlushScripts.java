package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server that loses its script cache several times in a row (S23). */
final class FlushScripts implements Fault {

    @Override
    public String name() {
        return "SCRIPT FLUSH";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(2, random)) {
            for (int i = 0; i < 5; i++) {
                world.redis(claim.numbers()).forEach(server -> server.faults().forgetScripts());
                world.rest(Lengths.blink(random));
            }
        }
    }
}
