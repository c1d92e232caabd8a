package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A server ends its connections, commands on one side and pushes on the other. */
final class KillConnections implements Fault {

    @Override
    public String name() {
        return "CLIENT KILL of all connections";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(3), random)) {
            for (int i = 0; i < 3; i++) {
                String type = random.nextBoolean() ? "normal" : "pubsub";
                world.servers(claim.numbers())
                        .forEach(server -> server.send("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes"));
                world.rest(Lengths.blink(random));
            }
        }
    }
}
