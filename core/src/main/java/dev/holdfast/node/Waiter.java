package dev.holdfast.node;

/** A place in this node's queue: what was asked for, and until when the entry lasts. */
final class Waiter {

    final AcquireRequest request;
    final long expiryMillis;

    Waiter(AcquireRequest request, long expiryMillis) {
        this.request = request;
        this.expiryMillis = expiryMillis;
    }
}
