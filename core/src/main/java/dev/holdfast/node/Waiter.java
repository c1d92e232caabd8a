package dev.holdfast.node;

/** A position in this node's queue: the request, and the time at which the entry expires. */
final class Waiter {

    final AcquireRequest request;
    final long expiryMillis;

    Waiter(AcquireRequest request, long expiryMillis) {
        this.request = request;
        this.expiryMillis = expiryMillis;
    }
}
