package dev.holdfast.quarkus.runtime;

import java.util.List;

/** All locked methods of the application. */
public final class LockedMethodTable {

    private final List<LockedMethodData> methods;

    LockedMethodTable(List<LockedMethodData> methods) {
        this.methods = List.copyOf(methods);
    }

    List<LockedMethodData> methods() {
        return methods;
    }
}
