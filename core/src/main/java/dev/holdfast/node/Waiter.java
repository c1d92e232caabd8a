package dev.holdfast.node;

/** A position in this node's queue: the request, and the time at which the entry expires. */
record Waiter(AcquireRequest request, long expiryMillis) {

    OwnerId owner() {
        return request.owner();
    }

    Waiter pass(StatePass state) {
        AcquireRequest passed = AcquireRequest.forQueuedVote(
                request.resource(),
                state.owner(request.owner()),
                state.mode(request.mode()),
                state.number(request.ttlMillis()),
                state.number(request.waiterTtlMillis()),
                (int) state.number(request.tokens()));
        return new Waiter(passed, state.number(expiryMillis));
    }
}
