package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Full disks of one server or of a majority. A server with a full disk stops taking part, and is restarted once there is space. */
final class FillDisks implements Fault {

    private final boolean majority;

    FillDisks(boolean majority) {
        this.majority = majority;
    }

    @Override
    public String name() {
        return (majority ? "disks of a majority" : "disk of a server") + " full, then restarted";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(majority ? world.majority() : 1, random)) {
            List<ClusterProcess> servers =
                    claim.numbers().stream().map(world.cluster()::process).toList();
            try {
                servers.forEach(server -> server.machine().orElseThrow().fillDisk());
                world.rest(Lengths.aroundTtl(random));
            } finally {
                servers.forEach(server -> server.machine().orElseThrow().emptyDisk());
            }
            servers.forEach(ClusterProcess::kill);
            servers.forEach(ClusterProcess::start);
        }
    }
}
