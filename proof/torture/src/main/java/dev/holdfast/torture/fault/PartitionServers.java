package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Some servers that no client reaches. At the end, everything that was sent in the meantime arrives (S9, S12). */
final class PartitionServers implements Fault {

    @Override
    public String name() {
        return "servers cut off, both ways or one way; messages arrive late";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<TcpProxy> links = world.network().toServers(claim.numbers());
            Direction[] directions = Directions.some(random);
            try {
                links.forEach(link -> link.hold(directions));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
