package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.Locked;

/** The class of a library: beans of another package cannot override its method. */
public abstract class PackageWork {

    @Locked(name = "a")
    void work() {}
}
