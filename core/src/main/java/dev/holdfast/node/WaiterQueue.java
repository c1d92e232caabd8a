package dev.holdfast.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for one resource, in the order of their tickets. Their owners are a sorted list, in which a binary search finds a place. To add or remove an owner
 * moves those behind it, which takes a microsecond for ten thousand.
 */
final class WaiterQueue {

    static final Comparator<OwnerId> BY_TICKET =
            Comparator.comparing(OwnerId::ticket).thenComparing(OwnerId::toString);

    private final List<OwnerId> owners = new ArrayList<>(0);
    private final Map<OwnerId, Waiter> waiters = new HashMap<>(0);
    private final TreeSet<Waiter> byExpiry =
            new TreeSet<>(Comparator.comparingLong(Waiter::expiryMillis).thenComparing(Waiter::owner, BY_TICKET));

    boolean isEmpty() {
        return owners.isEmpty();
    }

    /** Returns the waiters, the first one first. */
    Stream<Waiter> all() {
        return owners.stream().map(waiters::get);
    }

    /** Returns the first waiter; null if there is none. */
    @Nullable
    Waiter first() {
        return owners.isEmpty() ? null : waiters.get(owners.get(0));
    }

    /** Returns the latest ticket time of all waiters; 0 if there is none. */
    long latestTicketTime() {
        return owners.isEmpty() ? 0 : owners.get(owners.size() - 1).attempt();
    }

    /** Returns whether an owner other than this one waits. */
    boolean hasOthers(OwnerId owner) {
        return owners.size() > (waiters.containsKey(owner) ? 1 : 0);
    }

    boolean hasBefore(Ticket ticket) {
        return !owners.isEmpty() && owners.get(0).ticket().compareTo(ticket) < 0;
    }

    /** Returns the position of a waiter, 1 for the first one. */
    int place(OwnerId owner) {
        return Collections.binarySearch(owners, owner, BY_TICKET) + 1;
    }

    /** Adds a waiter. It replaces the earlier entry of its owner. */
    void add(Waiter waiter) {
        Waiter before = waiters.put(waiter.owner(), waiter);
        if (before != null) {
            byExpiry.remove(before);
        } else {
            owners.add(-place(waiter.owner()), waiter.owner());
        }
        byExpiry.add(waiter);
    }

    void remove(OwnerId owner) {
        Waiter gone = waiters.remove(owner);
        if (gone != null) {
            owners.remove(place(owner) - 1);
            byExpiry.remove(gone);
        }
    }

    void dropExpired(long now) {
        while (!byExpiry.isEmpty() && byExpiry.first().expiryMillis() <= now) {
            remove(byExpiry.first().owner());
        }
    }
}
