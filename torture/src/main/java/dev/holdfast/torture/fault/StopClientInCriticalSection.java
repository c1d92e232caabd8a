package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.Random;

/** The worst moment: the lease was valid at the look, and has long ended when the write comes (S1). */
final class StopClientInCriticalSection implements Fault {

    private static final int TRIES = 300;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    @Override
    public String name() {
        return "client stopped between its look at the lease and its write";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.clientClaims().take(1, random)) {
            ClientSlot client = world.client(claim.number());
            try {
                client.haltInCriticalSection();
                for (int i = 0; i < TRIES && !client.isPaused(); i++) {
                    world.rest(LOOK_AGAIN);
                }
                world.rest(Lengths.beyondTtl(random));
            } finally {
                client.goOn();
                client.resume();
                world.rest(Lengths.between(random, 200, 400));
                client.resume(); // it may have stopped in the meantime, where it had no critical section before
            }
        }
    }
}
