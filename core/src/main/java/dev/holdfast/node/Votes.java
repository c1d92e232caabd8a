package dev.holdfast.node;

import dev.holdfast.LockMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The votes for one resource, by owner, and in each mode by expiry and by ticket: no question looks at all of them. */
final class Votes {

    /** How many holders in each mode a new waiter notifies; the other holders learn of it when they extend. */
    private static final int MOST_TOLD = 100;

    /** Tickets within eight microseconds count as equal, since a Redis node packs mode and ticket into one number. */
    private static final Comparator<Vote> BY_TICKET = Comparator.<Vote>comparingLong(vote -> vote.owner.attempt() / 8)
            .thenComparing(vote -> vote.owner.toString());

    private static final Comparator<Vote> BY_EXPIRY =
            Comparator.<Vote>comparingLong(vote -> vote.expiryMillis).thenComparing(vote -> vote.owner.toString());

    /** Those in one mode. */
    private static final class InMode {
        final TreeSet<Vote> byExpiry = new TreeSet<>(BY_EXPIRY);
        final TreeSet<Vote> byTicket = new TreeSet<>(BY_TICKET);
    }

    private final TreeMap<String, Vote> byOwner = new TreeMap<>();
    private final Map<LockMode, InMode> byMode = new EnumMap<>(LockMode.class); // modes that have had votes

    boolean isEmpty() {
        return byOwner.isEmpty();
    }

    /** In the order of their owner ids. */
    Collection<Vote> all() {
        return byOwner.values();
    }

    @Nullable
    Vote of(OwnerId owner) {
        return byOwner.get(owner.toString());
    }

    void add(Vote vote) {
        byOwner.put(vote.owner.toString(), vote);
        InMode same = byMode.computeIfAbsent(vote.mode, mode -> new InMode());
        same.byExpiry.add(vote);
        same.byTicket.add(vote);
    }

    void prolong(Vote vote, long untilMillis) {
        InMode same = byMode.computeIfAbsent(vote.mode, mode -> new InMode());
        same.byExpiry.remove(vote);
        vote.prolong(untilMillis);
        same.byExpiry.add(vote);
    }

    boolean remove(OwnerId owner) {
        Vote gone = byOwner.remove(owner.toString());
        if (gone == null) {
            return false;
        }
        InMode same = byMode.get(gone.mode);
        if (same != null) {
            same.byExpiry.remove(gone);
            same.byTicket.remove(gone);
        }
        return true;
    }

    void dropExpired(long now) {
        if (byOwner.isEmpty()) {
            return;
        }
        for (InMode same : byMode.values()) {
            while (!same.byExpiry.isEmpty() && same.byExpiry.first().expiryMillis <= now) {
                remove(same.byExpiry.first().owner);
            }
        }
    }

    /** When the last of them ends, 0 if there is none. */
    long lastExpiryMillis() {
        long last = 0;
        for (InMode same : byMode.values()) {
            last = same.byExpiry.isEmpty() ? last : Math.max(last, same.byExpiry.last().expiryMillis);
        }
        return last;
    }

    /** The vote of another owner that conflicts with this mode and has the earliest ticket. */
    @Nullable
    Vote firstConflict(OwnerId owner, LockMode mode) {
        Vote first = null;
        if (byOwner.isEmpty()) {
            return null;
        }
        for (Map.Entry<LockMode, InMode> entry : byMode.entrySet()) {
            if (mode.conflictsWith(entry.getKey())) {
                for (Vote vote : entry.getValue().byTicket) {
                    if (!vote.owner.equals(owner)) {
                        first = first == null || BY_TICKET.compare(vote, first) < 0 ? vote : first;
                        break;
                    }
                }
            }
        }
        return first;
    }

    /** Other owners' votes that conflict with this mode: in each mode those with the latest tickets, the latest first, limited in number. */
    List<Vote> latestConflicts(OwnerId owner, LockMode mode) {
        List<Vote> latest = new ArrayList<>();
        byMode.forEach((other, same) -> {
            if (mode.conflictsWith(other)) {
                same.byTicket.descendingSet().stream()
                        .limit(MOST_TOLD)
                        .filter(vote -> !vote.owner.equals(owner))
                        .forEach(latest::add);
            }
        });
        return latest;
    }

    /** The time until the first vote of others that bears a token ends; 0 if there is none. */
    long remainingMillis(OwnerId except, long now) {
        long soonest = Long.MAX_VALUE;
        if (byOwner.isEmpty()) {
            return 0;
        }
        for (Map.Entry<LockMode, InMode> entry : byMode.entrySet()) {
            if (entry.getKey().bearsToken()) {
                for (Vote vote : entry.getValue().byExpiry) {
                    if (!vote.owner.equals(except)) {
                        soonest = Math.min(soonest, vote.expiryMillis - now);
                        break;
                    }
                }
            }
        }
        return soonest == Long.MAX_VALUE ? 0 : soonest;
    }

    /** The ticket time of the latest of them, 0 if there is none. */
    long latestTicketTime() {
        long latest = 0;
        for (InMode same : byMode.values()) {
            latest = same.byTicket.isEmpty()
                    ? latest
                    : Math.max(latest, same.byTicket.last().owner.attempt());
        }
        return latest;
    }
}
