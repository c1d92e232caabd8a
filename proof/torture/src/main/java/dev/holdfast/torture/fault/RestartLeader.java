package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A clean stop of the server that leads, as for an upgrade, and a restart. */
final class RestartLeader implements Fault {

    @Override
    public String name() {
        return "leader stopped cleanly (SIGTERM), restarted";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = Lead.claim(world, random, true)) {
            ClusterProcess server = world.cluster().process(claim.number());
            server.terminate();
            server.start();
        }
    }
}
