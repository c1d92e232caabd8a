package dev.holdfast.cli.output;

/** The exit codes of the command line: 0, the numbers of {@code sysexits.h} where one fits, and those of shells. */
public final class ExitCode {

    public static final int OK = 0;

    /** {@code break} found no lease with that token. */
    public static final int NOT_FOUND = 1;

    /** {@code bootstrap} found that a node is not new. */
    public static final int NOT_NEW = 1;

    /** {@code doctor} found something to change. */
    public static final int TO_CHANGE = 1;

    public static final int UNCHANGED = 1;

    /** The arguments or settings are wrong. */
    public static final int USAGE = 64;

    /** Fewer nodes than a majority gave a valid answer. */
    public static final int NO_QUORUM = 69;

    /** An internal error, or a failure of the machine. */
    public static final int INTERNAL = 70;

    /** Standard output cannot be written. */
    public static final int OUTPUT = 74;

    /** Another client held the lock for the whole wait. */
    public static final int NOT_ACQUIRED = 75;

    /** The lock was lost while the command ran. */
    public static final int LOST = 79;

    /** The command exists, but cannot be run. */
    public static final int CANNOT_RUN = 126;

    /** The command does not exist. */
    public static final int NO_COMMAND = 127;

    /** The base for signals; the exit code adds the number of the signal. */
    public static final int SIGNAL = 128;

    private ExitCode() {}
}
