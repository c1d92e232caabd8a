package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The votes for one resource. If there are several votes, they are indexed by owner, and within each mode by expiry and by ticket, so no query
 * searches all of them. Most resources have one vote at a time, which needs no index.
 */
final class Votes {

    /** The most holders in each mode that the node notifies of a new waiter. The other holders learn of the waiter when they extend. */
    private static final int MOST_NOTIFIED = 100;

    private static final LockMode[] MODES = LockMode.values();

    /** Tickets within eight microseconds count as equal, since a Redis node packs mode and ticket into one number. */
    private static final Comparator<Vote> BY_TICKET = Comparator.<Vote>comparingLong(vote -> vote.owner.attempt() / 8)
            .thenComparing(vote -> vote.owner.toString());

    private static final Comparator<Vote> BY_EXPIRY =
            Comparator.<Vote>comparingLong(vote -> vote.expiryMillis).thenComparing(vote -> vote.owner.toString());

    /** The index of several votes. */
    private static final class Index {

        final TreeMap<String, Vote> byOwner = new TreeMap<>();
        final List<NavigableSet<Vote>> byExpiry = inEachMode(BY_EXPIRY);
        final List<NavigableSet<Vote>> byTicket = inEachMode(BY_TICKET);

        private static List<NavigableSet<Vote>> inEachMode(Comparator<Vote> order) {
            return Arrays.stream(MODES)
                    .<NavigableSet<Vote>>map(mode -> new TreeSet<>(order))
                    .toList();
        }

        void add(Vote vote) {
            byOwner.put(vote.owner.toString(), vote);
            byExpiry.get(vote.mode.ordinal()).add(vote);
            byTicket.get(vote.mode.ordinal()).add(vote);
        }

        void remove(Vote vote) {
            byOwner.remove(vote.owner.toString());
            byExpiry.get(vote.mode.ordinal()).remove(vote);
            byTicket.get(vote.mode.ordinal()).remove(vote);
        }
    }

    private @Nullable Vote only; // the vote, if there is exactly one and so no index
    private @Nullable Index index;

    boolean isEmpty() {
        return index == null ? only == null : index.byOwner.isEmpty();
    }

    /** Returns all votes in the order of their owner ids. */
    Collection<Vote> all() {
        return index != null ? index.byOwner.values() : only == null ? List.of() : List.of(only);
    }

    @Nullable
    Vote of(OwnerId owner) {
        if (index != null) {
            return index.byOwner.get(owner.toString());
        }
        return only != null && only.owner.equals(owner) ? only : null;
    }

    void add(Vote vote) {
        remove(vote.owner);
        if (isEmpty()) {
            only = vote;
            index = null;
            return;
        }
        Index all = index == null ? new Index() : index;
        if (only != null) {
            all.add(only);
            only = null;
        }
        all.add(vote);
        index = all;
    }

    void prolong(Vote vote, long untilMillis) {
        if (index == null) {
            vote.prolong(untilMillis);
        } else {
            index.remove(vote);
            vote.prolong(untilMillis);
            index.add(vote);
        }
    }

    boolean remove(OwnerId owner) {
        Vote gone = of(owner);
        if (gone == null) {
            return false;
        }
        if (index != null) {
            index.remove(gone);
        }
        only = null;
        return true;
    }

    void dropExpired(long now) {
        for (LockMode mode : MODES) {
            for (Vote first = soonest(mode, null);
                    first != null && first.expiryMillis <= now;
                    first = soonest(mode, null)) {
                remove(first.owner);
            }
        }
    }

    /** Returns the time at which the last vote ends, 0 if there is none. */
    long lastExpiryMillis() {
        return all().stream().mapToLong(vote -> vote.expiryMillis).max().orElse(0);
    }

    /** Returns the latest ticket time of the votes, 0 if there is none. */
    long latestTicketTime() {
        if (index == null) {
            return only == null ? 0 : only.owner.attempt();
        }
        return index.byTicket.stream()
                .filter(votes -> !votes.isEmpty())
                .mapToLong(votes -> votes.last().owner.attempt())
                .max()
                .orElse(0);
    }

    /** Returns the vote of another owner that conflicts with this mode and has the earliest ticket. */
    @Nullable
    Vote firstConflict(OwnerId owner, LockMode mode) {
        Vote first = null;
        for (LockMode other : MODES) {
            if (mode.conflictsWith(other)) {
                Vote vote = index == null ? onlyIn(other, owner) : first(index.byTicket, other, owner);
                first = first == null || (vote != null && BY_TICKET.compare(vote, first) < 0) ? vote : first;
            }
        }
        return first;
    }

    /**
     * Returns other owners' votes that conflict with this mode: in each mode, a limited number of votes with the latest tickets, the latest first.
     */
    List<Vote> latestConflicts(OwnerId owner, LockMode mode) {
        List<Vote> latest = new ArrayList<>();
        for (LockMode other : MODES) {
            if (mode.conflictsWith(other)) {
                Collection<Vote> votes = index == null
                        ? all()
                        : index.byTicket.get(other.ordinal()).descendingSet();
                votes.stream()
                        .limit(MOST_NOTIFIED)
                        .filter(vote -> vote.mode == other && !vote.owner.equals(owner))
                        .forEach(latest::add);
            }
        }
        return latest;
    }

    /** Returns how soon the first of the other owners' votes with a token ends; 0 if there is none. */
    long remainingMillis(OwnerId except, long now) {
        long soonest = Long.MAX_VALUE;
        for (LockMode mode : MODES) {
            Vote vote = mode.bearsToken() ? soonest(mode, except) : null;
            soonest = vote == null ? soonest : Math.min(soonest, vote.expiryMillis - now);
        }
        return soonest == Long.MAX_VALUE ? 0 : soonest;
    }

    private @Nullable Vote soonest(LockMode mode, @Nullable OwnerId except) {
        return index == null ? onlyIn(mode, except) : first(index.byExpiry, mode, except);
    }

    private @Nullable Vote onlyIn(LockMode mode, @Nullable OwnerId except) {
        return only != null && only.mode == mode && !only.owner.equals(except) ? only : null;
    }

    private static @Nullable Vote first(List<NavigableSet<Vote>> votes, LockMode mode, @Nullable OwnerId except) {
        return votes.get(mode.ordinal()).stream()
                .filter(vote -> !vote.owner.equals(except))
                .findFirst()
                .orElse(null);
    }
}
