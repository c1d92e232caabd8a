package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.ClientClaim;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A kill -9 of a process with leases and queue positions. Its locks are free after their ttl at the latest. */
final class KillClient implements Fault {

    @Override
    public String name() {
        return "client killed, and a new one started";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (ClientClaim claim = world.claimClients(random)) {
            claim.clients().forEach(ClientSlot::kill);
            world.rest(Lengths.blink(random));
            claim.clients().forEach(ClientSlot::start);
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
