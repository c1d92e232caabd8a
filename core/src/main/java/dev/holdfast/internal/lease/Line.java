package dev.holdfast.internal.lease;

import org.jspecify.annotations.Nullable;

/** Waiters in the order in which they came; any of them may leave at any time. Accessed only on one serial executor. */
final class Line {

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    @Nullable
    Waiter first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    boolean hasSeveral() {
        return first != last;
    }

    void add(Waiter waiter) {
        Waiter before = last;
        waiter.before = before;
        waiter.inLine = true;
        last = waiter;
        if (before == null) {
            first = waiter;
        } else {
            before.after = waiter;
        }
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.before;
        Waiter after = waiter.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        waiter.before = null;
        waiter.after = null;
        waiter.inLine = false;
    }
}
