package dev.holdfast.cli.process;

/** What is done to the command when its lock is lost. */
public enum OnLost {
    /** It is asked to end, early enough to have its grace before the lock's deadline, and killed at the deadline. */
    TERM,
    /** It is killed just before the deadline. */
    KILL,
    /** It goes on; a line on standard error says that the lock is lost. */
    WARN,
}
