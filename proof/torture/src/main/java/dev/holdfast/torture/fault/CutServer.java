package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.Machine;
import dev.holdfast.torture.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A server that the others do not reach, or that does not reach the others; sometimes clients do not reach it either. */
final class CutServer implements Fault {

    private final boolean leader;

    CutServer(boolean leader) {
        this.leader = leader;
    }

    @Override
    public String name() {
        return (leader ? "leader" : "follower") + " cut off from the others by nftables, both ways or one way";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = Lead.claim(world, random, leader)) {
            Machine machine = world.cluster().process(claim.number()).machine().orElseThrow();
            List<String> others = new ArrayList<>();
            world.cluster().machines().stream()
                    .filter(other -> other != machine)
                    .forEach(other -> others.add(other.address()));
            if (random.nextInt(4) == 0) {
                world.cluster().clientAddress().ifPresent(others::add);
            }
            try {
                machine.cut(others, Directions.some(random));
                world.rest(Lengths.between(random, 300, 6_000));
            } finally {
                machine.join();
            }
        }
    }
}
