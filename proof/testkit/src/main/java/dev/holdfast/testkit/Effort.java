package dev.holdfast.testkit;

/**
 * The thoroughness of the tests of a build. {@code ./mvnw verify} runs a fixed part, short enough for the build of every
 * change. {@code make thorough} runs everything, from a seed that it prints. CI's build of a change to the algorithm also runs all of the campaign and of
 * the mutants.
 */
public final class Effort {

    private static final boolean THOROUGH = Boolean.getBoolean("holdfast.thorough");
    private static final boolean PROOF = THOROUGH || Boolean.getBoolean("holdfast.proof");

    private Effort() {}

    /** Returns whether this build runs everything that the tests can do. */
    public static boolean isThorough() {
        return THOROUGH;
    }

    /** Returns {@code brief} in the build of every change, and {@code thorough} in a thorough build. */
    public static int of(int brief, int thorough) {
        return THOROUGH ? thorough : brief;
    }

    /** Returns whether this build runs all of the campaign and of the mutants. */
    public static boolean isThoroughProof() {
        return PROOF;
    }

    /** Returns {@code thorough} where all of the campaign and of the mutants runs, and {@code brief} elsewhere. */
    public static int ofProof(int brief, int thorough) {
        return PROOF ? thorough : brief;
    }

    /** Returns the seed for a test's random choices: {@code usual}, unless {@code -Dholdfast.seed} names another. */
    public static long seed(long usual) {
        return Long.getLong("holdfast.seed", usual);
    }
}
