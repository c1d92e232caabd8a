package dev.holdfast.torture.fault;

import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/**
 * Slow links, all or some of them, one way or both, with different delays. Requests overtake each other across
 * connections (S9, S31).
 */
final class DelayLinks implements Fault {

    @Override
    public String name() {
        return "links delayed";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(3), random)) {
            List<TcpProxy> links = world.network().toServers(claim.numbers());
            try {
                for (TcpProxy link : links) {
                    link.delay(Lengths.between(random, 1, 150), Directions.some(random));
                }
                world.rest(Lengths.aroundTtl(random));
            } finally {
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
