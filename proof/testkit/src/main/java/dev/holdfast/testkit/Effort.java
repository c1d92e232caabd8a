package dev.holdfast.testkit;

/**
 * The thoroughness of the tests of a build. {@code ./mvnw verify} runs a fixed part, short enough for the build of every
 * change. {@code make thorough} runs everything, from a seed that it prints.
 */
public final class Effort {

    private static final boolean THOROUGH = Boolean.getBoolean("holdfast.thorough");

    private Effort() {}

    /** Returns whether this build runs everything that the tests can do. */
    public static boolean isThorough() {
        return THOROUGH;
    }

    /** Returns {@code brief} in the build of every change, and {@code thorough} in a thorough build. */
    public static int of(int brief, int thorough) {
        return THOROUGH ? thorough : brief;
    }

    /** Returns the seed for a test's random choices: {@code usual}, unless {@code -Dholdfast.seed} names another. */
    public static long seed(long usual) {
        return Long.getLong("holdfast.seed", usual);
    }
}
