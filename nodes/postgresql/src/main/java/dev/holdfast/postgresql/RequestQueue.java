package dev.holdfast.postgresql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The requests that wait for the connection, and the choice of those that go out in the next statement. Requests for one resource keep their order.
 * Not thread-safe.
 *
 * <p>A statement that contains only plain releases commits without waiting for the disk. If that is much shorter than a statement with acquires,
 * the releases of waiting requests go out first, in a statement of their own. Their threads then continue at once, and their next acquires share one
 * wait for the disk (docs/decisions/0110).
 */
final class RequestQueue {

    /** The most requests in one statement. More would only lengthen the time for which the statement locks its resources. */
    static final int MOST_TOGETHER = 100;

    private static final int NEW_SHARE = 4; // a new duration counts one quarter
    private static final int FADING = 256;

    private final Deque<Work> waiting = new ArrayDeque<>();
    private long releasesNanos; // the usual duration of a statement with releases only; 0 if unknown
    private long othersNanos; // the usual duration of the other statements; 0 if unknown

    void add(Work work) {
        waiting.add(work);
    }

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes and returns all requests. */
    List<Work> removeAll() {
        List<Work> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /** Removes and returns the requests that go out next; at least one, if there is any. */
    List<Work> next() {
        List<Work> next = new ArrayList<>();
        if (waiting.peek() instanceof Work.Single) {
            next.add(waiting.remove());
            return next;
        }
        Set<Work> releases = releases();
        if (!releases.isEmpty() && releases.size() < waiting.size() && releasesPay()) {
            waiting.removeAll(releases);
            next.addAll(releases);
            return next;
        }
        while (next.size() < MOST_TOGETHER && waiting.peek() instanceof Work.Lock) {
            next.add(waiting.remove());
        }
        return next;
    }

    /** Returns the plain releases among the next requests whose resource no earlier request names. */
    private Set<Work> releases() {
        Set<Work> releases = new LinkedHashSet<>();
        Set<String> resources = new HashSet<>();
        Iterator<Work> all = waiting.iterator();
        for (int i = 0; i < MOST_TOGETHER && all.hasNext() && all.next() instanceof Work.Lock<?> lock; i++) {
            if (resources.add(lock.call.resource()) && lock.call.isPlainRelease()) {
                releases.add(lock);
            }
        }
        return releases;
    }

    /** Returns whether a statement for releases only is short enough. If not, its known duration fades, so that it is tried again later. */
    private boolean releasesPay() {
        boolean pay = releasesNanos * 3 <= othersNanos * 2 || othersNanos == 0;
        if (!pay) {
            releasesNanos -= releasesNanos / FADING;
        }
        return pay;
    }

    /** Notes how long a statement with these requests took. */
    void took(List<Work> sent, long nanos) {
        if (sent.stream().allMatch(work -> work instanceof Work.Lock<?> lock && lock.call.isPlainRelease())) {
            releasesNanos = usual(releasesNanos, nanos);
        } else {
            othersNanos = usual(othersNanos, nanos);
        }
    }

    private static long usual(long before, long nanos) {
        return before == 0 ? nanos : before + (nanos - before) / NEW_SHARE;
    }
}
