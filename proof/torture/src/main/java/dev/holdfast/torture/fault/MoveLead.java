package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** An operator lets another server lead. */
final class MoveLead implements Fault {

    @Override
    public String name() {
        return "lead transferred";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = Lead.claim(world, random, true)) {
            int servers = world.cluster().processes().size();
            int other = (claim.number() + 1 + random.nextInt(servers - 1)) % servers;
            world.cluster()
                    .process(claim.number())
                    .transfer(world.cluster().process(other).name());
        }
    }
}
