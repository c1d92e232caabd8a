package dev.holdfast.server;

/** Who waits for a lock at this server. */
interface Asker {

    /** From now on it is looked whether it is still there; {@code gone} is run once if it goes. */
    void watch(Runnable gone);
}
