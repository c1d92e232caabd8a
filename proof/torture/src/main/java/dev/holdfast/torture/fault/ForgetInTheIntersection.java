package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/**
 * A state loss in the intersection of two majorities. A lease can only have votes of three of the five servers. One of
 * these loses its state as the other two become reachable again (S3, S25).
 */
final class ForgetInTheIntersection implements Fault {

    @Override
    public String name() {
        return "two servers unreachable, a third restarted empty as they come back";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(3, random)) {
            RedisProcess forgets = world.redis(claim.numbers().get(0));
            List<TcpProxy> links = world.network().toServers(claim.numbers().subList(1, 3));
            try {
                links.forEach(TcpProxy::refuse);
                links.forEach(link -> link.cut(Disconnect.RST));
                world.rest(Lengths.beyondTtl(random));
                forgets.restartEmpty();
            } finally {
                links.forEach(TcpProxy::pass);
            }
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
