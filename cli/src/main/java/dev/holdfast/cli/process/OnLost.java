package dev.holdfast.cli.process;

import java.util.Locale;

/** The action on the command when its lock is lost. */
public enum OnLost {
    /** Sends TERM, early enough for the grace to end before the lock's deadline, and KILL at the deadline. */
    TERM,
    /** Sends KILL just before the deadline. */
    KILL,
    /** Lets the command continue; a line on standard error reports the loss. */
    WARN;

    /** Returns the value in the format of the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
