package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import org.jspecify.annotations.Nullable;

/** An ACQUIRE as a test writes it: what matters is said, the rest is EX for a minute, without queueing. */
final class Ask {

    private final Patience patience;
    private final LockNode node;
    private final String resource;
    private final OwnerId owner;
    private LockMode mode = LockMode.EX;
    private long ttlMillis = ContractSteps.LONG_MILLIS;
    private long waiterTtlMillis = ContractSteps.LONG_MILLIS;
    private boolean queue;
    private int tokens = 1;
    private long floor;
    private boolean heal;
    private @Nullable LockValue value;

    Ask(Patience patience, LockNode node, String resource, OwnerId owner) {
        this.patience = patience;
        this.node = node;
        this.resource = resource;
        this.owner = owner;
    }

    Ask mode(LockMode mode) {
        this.mode = mode;
        return this;
    }

    Ask ttl(long ttlMillis) {
        this.ttlMillis = ttlMillis;
        return this;
    }

    Ask queue() {
        this.queue = true;
        return this;
    }

    Ask waiterTtl(long waiterTtlMillis) {
        this.waiterTtlMillis = waiterTtlMillis;
        return this;
    }

    Ask tokens(int tokens) {
        this.tokens = tokens;
        return this;
    }

    Ask floor(long floor) {
        this.floor = floor;
        return this;
    }

    Ask heal(long floor) {
        this.floor = floor;
        this.heal = true;
        return this;
    }

    Ask write(LockValue value) {
        this.value = value;
        return this;
    }

    AcquireRequest request() {
        return new AcquireRequest(resource, owner, mode, ttlMillis, queue, waiterTtlMillis, tokens, floor, heal, value);
    }

    AcquireAnswer send() {
        return patience.answer(node.acquire(request()));
    }

    AcquireAnswer.Granted granted() {
        return answer(AcquireAnswer.Granted.class);
    }

    AcquireAnswer.Queued queued() {
        return answer(AcquireAnswer.Queued.class);
    }

    AcquireAnswer.Sealed sealed() {
        return answer(AcquireAnswer.Sealed.class);
    }

    AcquireAnswer.Denied denied(AcquireAnswer.Denied.Reason reason) {
        AcquireAnswer.Denied denied = answer(AcquireAnswer.Denied.class);
        assertThat(denied.reason()).as("%s", denied).isEqualTo(reason);
        return denied;
    }

    private <T extends AcquireAnswer> T answer(Class<T> kind) {
        AcquireAnswer answer = send();
        assertThat(answer).as("answer to %s", request()).isInstanceOf(kind);
        return kind.cast(answer);
    }
}
