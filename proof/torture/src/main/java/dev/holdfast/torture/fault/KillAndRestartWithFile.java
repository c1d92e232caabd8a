package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.NodeServer;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A kill -9 and a restart with the append-only file. The server has lost nothing, but no client can know that. */
final class KillAndRestartWithFile implements Fault {

    @Override
    public String name() {
        return "server killed, restarted with its file";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            world.servers(claim.numbers()).forEach(NodeServer::kill);
            world.rest(Lengths.aroundTtl(random));
            world.servers(claim.numbers()).forEach(NodeServer::restart);
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
