package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.ClientClaim;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A client that is stopped at the worst moment: the lease was valid at the check, and has long ended at the write (S1).
 */
final class StopClientInCriticalSection implements Fault {

    private static final int TRIES = 300;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    @Override
    public String name() {
        return "client stopped between its check of the lease and its write";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (ClientClaim claim = world.claimClients(random)) {
            List<ClientSlot> clients = claim.clients();
            try {
                clients.forEach(ClientSlot::haltInCriticalSection);
                for (int i = 0; i < TRIES && !clients.stream().allMatch(ClientSlot::isPaused); i++) {
                    world.rest(LOOK_AGAIN);
                }
                world.rest(Lengths.beyondTtl(random));
            } finally {
                clients.forEach(ClientSlot::goOn);
                clients.forEach(ClientSlot::resume);
                world.rest(Lengths.between(random, 200, 400));
                clients.forEach(ClientSlot::resume); // a client may have stopped late, at its next critical section
            }
        }
    }
}
