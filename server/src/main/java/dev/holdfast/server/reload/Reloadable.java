package dev.holdfast.server.reload;

/** Something that stands in files, and may be changed there while the server runs. One thread at a time asks it. */
public interface Reloadable {

    /** What it is, in logs and metrics. */
    String what();

    /**
     * Looks whether it has changed, and takes over what has.
     *
     * @return whether it has
     * @throws RuntimeException if what is there now is wrong, saying what; then that which was stays, and the same is not tried again
     */
    boolean reload();
}
