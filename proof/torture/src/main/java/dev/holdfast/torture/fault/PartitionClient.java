package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.ClientClaim;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** One client that reaches no server, or no majority. Its connections break at the end. */
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
                // Bytes are held and then cut, never just discarded: no TCP stream continues after missing bytes.
                links.forEach(TcpProxy::refuse);
                links.forEach(link -> link.cut(Disconnect.RST));
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
