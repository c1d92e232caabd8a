package dev.holdfast.server.reload;

/** Data in files that may change while the server runs. One thread at a time calls it. */
public interface Reloadable {

    /** Returns its name in logs and metrics. */
    String what();

    /**
     * Checks for changes, and applies them.
     *
     * @return whether there was a change
     * @throws RuntimeException if the new data is invalid, with the reason; the previous data stays in use, and the same data is not tried again
     */
    boolean reload();
}
