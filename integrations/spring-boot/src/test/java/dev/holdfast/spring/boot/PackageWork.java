package dev.holdfast.spring.boot;

import dev.holdfast.spring.Locked;

/** The class of a library: beans of another package cannot override its method. */
public abstract class PackageWork {

    @Locked("x")
    void work() {}
}
