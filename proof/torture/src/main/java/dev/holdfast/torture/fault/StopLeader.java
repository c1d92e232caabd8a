package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** The server that leads stops as on a frozen machine. When it continues, another one leads, and it must grant nothing. */
final class StopLeader implements Fault {

    @Override
    public String name() {
        return "leader stopped (SIGSTOP) and continued";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = Lead.claim(world, random, true)) {
            ClusterProcess server = world.cluster().process(claim.number());
            try {
                server.pause();
                world.rest(Lengths.between(random, 300, 5_000));
            } finally {
                server.resume();
            }
        }
    }
}
