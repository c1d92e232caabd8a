package dev.holdfast.testkit;

/**
 * How much the tests of a build try. {@code ./mvnw verify} does a part, always the same one, that fits into the build of every change; {@code make
 * thorough} does all of it, from a seed that it prints.
 */
public final class Effort {

    private static final boolean THOROUGH = Boolean.getBoolean("holdfast.thorough");

    private Effort() {}

    /** Returns whether this build is to do all that tests can do. */
    public static boolean isThorough() {
        return THOROUGH;
    }

    /** Returns the one number in the build of every change, the other in a thorough one. */
    public static int of(int brief, int thorough) {
        return THOROUGH ? thorough : brief;
    }

    /** Returns the seed for a test's random choices: this one, unless {@code -Dholdfast.seed} names another. */
    public static long seed(long usual) {
        return Long.getLong("holdfast.seed", usual);
    }
}
