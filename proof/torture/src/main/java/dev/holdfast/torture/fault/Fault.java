package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.World;
import java.util.Random;

/**
 * One kind of fault. It strikes, lasts, and repairs what it has broken before it returns.
 *
 * <p>To add one, write a class and add it to {@link Faults}. The fault claims the servers or clients that it strikes,
 * so that overlapping faults do not undo each other. It repairs them in a {@code finally}.
 */
public interface Fault {

    /** Returns the name of the fault in the report. */
    String name();

    /** Strikes once. Every choice is drawn from {@code random}. */
    void strike(World world, Random random) throws InterruptedException;
}
