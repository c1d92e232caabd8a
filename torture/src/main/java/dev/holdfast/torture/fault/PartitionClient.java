package dev.holdfast.torture.fault;

import dev.holdfast.testkit.redis.Cut;
import dev.holdfast.testkit.redis.Direction;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** One client reaches no server, or no majority, and its connections break in the end. */
final class PartitionClient implements Fault {

    @Override
    public String name() {
        return "client cut off from all or some servers; what was sent is lost";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.clientClaims().take(1, random)) {
            List<TcpProxy> all = world.network().ofClient(claim.number());
            List<TcpProxy> links = all.subList(random.nextInt(world.majority()), all.size());
            Direction[] directions = Directions.some(random);
            try {
                links.forEach(link -> link.blackHole(directions));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                links.forEach(link -> link.cut(Cut.RST));
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
