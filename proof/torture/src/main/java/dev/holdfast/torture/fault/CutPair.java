package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.Machine;
import dev.holdfast.torture.world.World;
import java.util.List;
import java.util.Random;

/** Two servers that do not reach each other, while both reach the third and all clients. */
final class CutPair implements Fault {

    @Override
    public String name() {
        return "two servers cut off from each other by nftables";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(2, random)) {
            Machine one = machine(world, claim.numbers().get(0));
            Machine other = machine(world, claim.numbers().get(1));
            try {
                one.cut(List.of(other.address()), Directions.some(random));
                world.rest(Lengths.between(random, 300, 6_000));
            } finally {
                one.join();
            }
        }
    }

    private static Machine machine(World world, int server) {
        return world.cluster().process(server).machine().orElseThrow();
    }
}
