package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.NodeServer;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/**
 * A server that stops as on a frozen machine: connections stay open, nothing is answered, and requests are executed
 * later.
 */
final class StopServer implements Fault {

    @Override
    public String name() {
        return "server stopped (SIGSTOP) and continued";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<NodeServer> servers = world.servers(claim.numbers());
            try {
                servers.forEach(NodeServer::pause);
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(NodeServer::resume);
            }
        }
    }
}
