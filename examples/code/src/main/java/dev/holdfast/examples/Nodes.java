package dev.holdfast.examples;

import java.util.Arrays;

/** The nodes that an example runs on. */
final class Nodes {

    private Nodes() {}

    /** Returns the arguments from index {@code first} on, or the in-memory node if there are none. */
    static String[] orMemory(String[] arguments, int first) {
        return arguments.length > first
                ? Arrays.copyOfRange(arguments, first, arguments.length)
                : new String[] {"memory:"};
    }
}
