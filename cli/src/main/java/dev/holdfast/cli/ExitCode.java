package dev.holdfast.cli;

/** How the command line ends: 0, the numbers of {@code sysexits.h} where one fits, and those of shells. */
final class ExitCode {

    static final int OK = 0;

    /** {@code break} found no lease with that token. */
    static final int NOT_FOUND = 1;

    /** Wrong arguments, or wrong settings from elsewhere. */
    static final int USAGE = 64;

    /** Fewer nodes than a majority gave an answer that counts. */
    static final int NO_QUORUM = 69;

    /** A bug, or a machine that refuses what it must give. */
    static final int INTERNAL = 70;

    /** Standard output can't be written. */
    static final int OUTPUT = 74;

    /** Somebody else has the lock, for as long as we were willing to wait. */
    static final int NOT_ACQUIRED = 75;

    /** The lock was lost while the command ran. */
    static final int LOST = 79;

    /** The command is there, but can't be run. */
    static final int CANNOT_RUN = 126;

    /** There is no such command. */
    static final int NO_COMMAND = 127;

    /** To be added to the number of the signal that ended something. */
    static final int SIGNAL = 128;

    private ExitCode() {}
}
