package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A kill -9 of the server that leads, or of another one, and a restart with its data. */
final class KillServer implements Fault {

    private final boolean leader;

    KillServer(boolean leader) {
        this.leader = leader;
    }

    @Override
    public String name() {
        return leader ? "leader killed, restarted with its data" : "follower killed, restarted with its data";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = Lead.claim(world, random, leader)) {
            ClusterProcess server = world.cluster().process(claim.number());
            server.kill();
            world.rest(random.nextBoolean() ? Lengths.blink(random) : Lengths.aroundTtl(random));
            server.start();
            world.rest(Lengths.blink(random));
        }
    }
}
