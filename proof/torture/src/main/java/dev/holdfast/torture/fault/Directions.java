package dev.holdfast.torture.fault;

import dev.holdfast.redis.process.Direction;
import java.util.Random;

/** The directions of a network fault. */
final class Directions {

    private Directions() {}

    /** Returns one direction, the other, or both. */
    static Direction[] some(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Direction[] {Direction.TO_SERVER};
            case 1 -> new Direction[] {Direction.TO_CLIENT};
            default -> Direction.values();
        };
    }
}
