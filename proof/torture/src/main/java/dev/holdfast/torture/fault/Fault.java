package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.World;
import java.util.Random;

/**
 * One kind of fault: strikes, lasts, and mends what it has broken before it returns.
 *
 * <p>To add one, write a class and put it into {@link Faults}. It claims the servers or clients that it strikes, so that faults that
 * overlap do not undo each other, and mends in a {@code finally}.
 */
public interface Fault {

    /** What it is, in the report's words. */
    String name();

    /** Strikes once. Every choice is drawn from {@code random}. */
    void strike(World world, Random random) throws InterruptedException;
}
