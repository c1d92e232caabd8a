package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.ClientClaim;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A client that is stopped at any point, as in a long garbage collection, for less or more than its ttl (S1, S2). */
final class StopClient implements Fault {

    @Override
    public String name() {
        return "client stopped (SIGSTOP) at any moment";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (ClientClaim claim = world.claimClients(random)) {
            try {
                claim.clients().forEach(ClientSlot::pause);
                world.rest(Lengths.aroundTtl(random));
            } finally {
                claim.clients().forEach(ClientSlot::resume);
            }
        }
    }
}
