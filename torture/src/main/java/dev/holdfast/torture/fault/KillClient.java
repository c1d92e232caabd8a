package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClientSlot;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** kill -9 of a process with leases and places in queues; its locks are free after their ttl at the latest. */
final class KillClient implements Fault {

    @Override
    public String name() {
        return "client killed, and a new one";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.clientClaims().take(1, random)) {
            ClientSlot client = world.client(claim.number());
            client.kill();
            world.rest(Lengths.blink(random));
            client.start();
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
