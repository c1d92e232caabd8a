package dev.holdfast.internal.lease;

import org.jspecify.annotations.Nullable;

/** A FIFO queue of waiters, from which any waiter can be removed in constant time. Accessed only on one serial executor. */
final class WaiterQueue {

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    @Nullable
    Waiter first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Waiter waiter) {
        Waiter before = last;
        waiter.before = before;
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
    }
}
