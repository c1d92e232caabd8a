package dev.holdfast.cli.output;

/** How the command line ends: 0, the numbers of {@code sysexits.h} where one fits, and those of shells. */
public final class ExitCode {

    public static final int OK = 0;

    /** {@code break} found no lease with that token. */
    public static final int NOT_FOUND = 1;

    /** Wrong arguments, or wrong settings from elsewhere. */
    public static final int USAGE = 64;

    /** Fewer nodes than a majority gave an answer that counts. */
    public static final int NO_QUORUM = 69;

    /** A bug, or a machine that refuses what it must give. */
    public static final int INTERNAL = 70;

    /** Standard output can't be written. */
    public static final int OUTPUT = 74;

    /** Somebody else has the lock, for as long as we were willing to wait. */
    public static final int NOT_ACQUIRED = 75;

    /** The lock was lost while the command ran. */
    public static final int LOST = 79;

    /** The command is there, but can't be run. */
    public static final int CANNOT_RUN = 126;

    /** There is no such command. */
    public static final int NO_COMMAND = 127;

    /** To be added to the number of the signal that ended something. */
    public static final int SIGNAL = 128;

    private ExitCode() {}
}
