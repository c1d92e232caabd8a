package dev.holdfast.torture.fault;

import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/**
 * Connections that break in the middle of an answer, whether or not the server has executed the request. A stream loses
 * messages in no other way (S11).
 */
final class BreakConnections implements Fault {

    @Override
    public String name() {
        return "connections broken after some bytes";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(2, random)) {
            List<TcpProxy> links = world.network().toServers(claim.numbers());
            try {
                for (int i = 0; i < 10; i++) {
                    TcpProxy link = links.get(random.nextInt(links.size()));
                    link.cutAfter(random.nextInt(1, 2_000), random.nextBoolean() ? Disconnect.RST : Disconnect.FIN);
                    world.rest(Lengths.between(random, 20, 200));
                }
            } finally {
                links.forEach(TcpProxy::pass);
            }
        }
    }
}
