package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A step of the wall clock of each server, by up to an hour. Log time follows monotonic clocks, so nothing may happen. */
final class StepClocks implements Fault {

    private static final int HOUR_MILLIS = 3_600_000;

    @Override
    public String name() {
        return "wall clocks of all servers set by up to an hour";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        for (ClusterProcess server : world.cluster().processes()) {
            server.stepClock(Lengths.between(random, -HOUR_MILLIS, HOUR_MILLIS));
            world.rest(Lengths.blink(random));
        }
    }
}
