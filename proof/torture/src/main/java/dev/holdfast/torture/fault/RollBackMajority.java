package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A majority of servers whose data are replaced by an earlier copy, which no operator may do. It loses what the cluster has confirmed. */
final class RollBackMajority implements Fault {

    @Override
    public String name() {
        return "data of a majority replaced by earlier copies";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(world.majority(), random)) {
            List<ClusterProcess> servers =
                    claim.numbers().stream().map(world.cluster()::process).toList();
            servers.forEach(ClusterProcess::kill);
            List<Path> copies = servers.stream().map(ClusterProcess::copyData).toList();
            servers.forEach(ClusterProcess::start);
            world.rest(Lengths.aroundTtl(random));
            world.cluster().processes().forEach(ClusterProcess::kill);
            for (int i = 0; i < servers.size(); i++) {
                servers.get(i).putBack(copies.get(i));
            }
            servers.forEach(ClusterProcess::start);
            world.rest(Lengths.aroundTtl(random));
            world.cluster().processes().forEach(ClusterProcess::start);
        }
    }
}
