package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.Direction;
import java.util.Random;

/** Which way a fault of the network goes. */
final class Directions {

    private Directions() {}

    /** Returns one way, the other, or both. */
    static Direction[] some(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Direction[] {Direction.TO_SERVER};
            case 1 -> new Direction[] {Direction.TO_CLIENT};
            default -> Direction.values();
        };
    }
}
