package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.NetworkNamespace;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** A real loss of some packets, or of all for a while, in a network that only the servers use. TCP sends them again. */
final class LosePackets implements Fault {

    @Override
    public String name() {
        return "packets lost between clients and servers";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<NetworkNamespace> networks = world.networks(claim.numbers());
            int percent = random.nextInt(5, 60);
            try {
                networks.forEach(network -> network.lose(percent, Directions.some(random)));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                networks.forEach(NetworkNamespace::pass);
            }
        }
    }
}
