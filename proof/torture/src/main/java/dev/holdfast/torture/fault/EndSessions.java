package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A PostgreSQL server that ends the sessions of all clients, amid their statements. */
final class EndSessions implements Fault {

    @Override
    public String name() {
        return "pg_terminate_backend of all sessions";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            for (int i = 0; i < 3; i++) {
                world.postgres(claim.number()).endSessions();
                world.rest(Lengths.blink(random));
            }
        }
    }
}
