package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** A disk whose flushes take up to 2 s longer. */
final class SlowDisk implements Fault {

    @Override
    public String name() {
        return "disk of a server slow";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1 + random.nextInt(2), random)) {
            List<ClusterProcess> servers =
                    claim.numbers().stream().map(world.cluster()::process).toList();
            try {
                servers.forEach(server -> server.slowDisk(Lengths.between(random, 10, 2_000)));
                world.rest(Lengths.between(random, 500, 6_000));
            } finally {
                servers.forEach(ClusterProcess::hurryDisk);
            }
        }
    }
}
