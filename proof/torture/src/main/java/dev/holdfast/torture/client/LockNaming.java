package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.Event;
import dev.holdfast.torture.client.ClientSettings.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of the locks and clients of the two algorithms. Each algorithm has names of its own, on the same servers.
 */
public final class LockNaming {

    /** The beginning of the address of a cluster. */
    public static final String CLUSTER = "holdfast://";

    private LockNaming() {}

    static String lock(Kind kind, int index) {
        return prefix(kind) + index;
    }

    /** Returns the name of the semaphore. */
    static String semaphore() {
        return prefix(Kind.HOLDFAST) + "permits";
    }

    /** Returns the name of a piece of work that must be done once. */
    static String work(long number) {
        return prefix(Kind.HOLDFAST) + "work-" + number;
    }

    /** Returns the name of a process. */
    public static String client(Kind kind, int slot, int generation) {
        return prefix(kind) + "client-" + slot + "-" + generation;
    }

    private static String prefix(Kind kind) {
        return kind == Kind.HOLDFAST ? "holdfast-" : "textbook-";
    }

    /** Returns the names of all locks of both algorithms. */
    public static List<String> all() {
        List<String> names = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int i = 0; i < Wish.locks(); i++) {
                names.add(lock(kind, i));
            }
        }
        return names;
    }

    /** Returns the events of one algorithm. A key that is left belongs to the algorithm whose lock it names. */
    public static List<Event> of(Kind kind, List<Event> events) {
        return events.stream()
                .filter(event -> names(event).contains(prefix(kind)))
                .toList();
    }

    private static String names(Event event) {
        if (event instanceof Event.OfAttempt ofAttempt) {
            return ofAttempt.who().client();
        }
        return event instanceof Event.Killed killed ? killed.client() : ((Event.Left) event).key();
    }
}
