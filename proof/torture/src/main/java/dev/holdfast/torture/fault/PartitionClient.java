package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.ClientClaim;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** One client reaches no server, or no majority, and its connections break in the end. */
final class PartitionClient implements Fault {

    @Override
    public String name() {
        return "client cut off from all or some servers; messages are lost";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (ClientClaim claim = world.claimClients(random)) {
            int reachable = random.nextInt(world.majority());
            List<TcpProxy> links = claim.numbers().stream()
                    .flatMap(client -> world.network().ofClient(client).stream().skip(reachable))
                    .toList();
            Direction[] directions = Directions.some(random);
            try {
                links.forEach(link -> link.hold(directions));
                world.rest(Lengths.aroundTtl(random));
            } finally {
                // Held and then cut, never just thrown away: no stream of TCP goes on with bytes missing.
                links.forEach(TcpProxy::refuse);
                links.forEach(link -> link.cut(Disconnect.RST));
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
