package dev.holdfast.cdi;

import dev.holdfast.Holdfast;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** A class that is not a bean itself, but has a locked method for its subclasses. */
public abstract class Warehouse<T> {

    @Inject
    Holdfast holdfast;

    /** Returns the name of the lock under which this method runs. */
    @Locked(name = "warehouse", key = "piece")
    public String move(T piece) {
        return Holdfast.currentLease().orElseThrow().name();
    }

    /** A bean that inherits its locked method. */
    @ApplicationScoped
    public static class Books extends Warehouse<Integer> {}
}
