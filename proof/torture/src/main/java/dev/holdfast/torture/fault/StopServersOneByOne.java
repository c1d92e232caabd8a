package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.NodeServer;
import dev.holdfast.torture.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A random subset of the servers that stops one by one and continues in random order (S30). */
final class StopServersOneByOne implements Fault {

    @Override
    public String name() {
        return "servers stopped one by one, continued in another order";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(world.majority()), random)) {
            List<NodeServer> servers = new ArrayList<>(world.servers(claim.numbers()));
            try {
                for (NodeServer server : servers) {
                    server.pause();
                    world.rest(Lengths.blink(random));
                }
            } finally {
                Collections.shuffle(servers, random);
                for (NodeServer server : servers) {
                    server.resume();
                    world.rest(Lengths.blink(random));
                }
            }
        }
    }
}
