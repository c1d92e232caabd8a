package dev.holdfast.cdi.runtime;

import java.util.List;

/** All locked methods of the application. */
public final class LockedMethodTable {

    private final List<LockedMethodData> methods;

    public LockedMethodTable(List<LockedMethodData> methods) {
        this.methods = List.copyOf(methods);
    }

    List<LockedMethodData> methods() {
        return methods;
    }
}
