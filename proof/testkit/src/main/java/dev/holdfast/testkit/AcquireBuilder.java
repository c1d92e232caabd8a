package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import org.jspecify.annotations.Nullable;

/** An ACQUIRE as a test writes it. The test sets what matters; the defaults are EX, a minute and no queueing. */
final class AcquireBuilder {

    private final ConditionWaiter patience;
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

    AcquireBuilder(ConditionWaiter patience, LockNode node, String resource, OwnerId owner) {
        this.patience = patience;
        this.node = node;
        this.resource = resource;
        this.owner = owner;
    }

    AcquireBuilder mode(LockMode mode) {
        this.mode = mode;
        return this;
    }

    AcquireBuilder ttl(long ttlMillis) {
        this.ttlMillis = ttlMillis;
        return this;
    }

    AcquireBuilder queue() {
        this.queue = true;
        return this;
    }

    AcquireBuilder waiterTtl(long waiterTtlMillis) {
        this.waiterTtlMillis = waiterTtlMillis;
        return this;
    }

    AcquireBuilder tokens(int tokens) {
        this.tokens = tokens;
        return this;
    }

    AcquireBuilder floor(long floor) {
        this.floor = floor;
        return this;
    }

    AcquireBuilder heal(long floor) {
        this.floor = floor;
        this.heal = true;
        return this;
    }

    AcquireBuilder write(LockValue value) {
        this.value = value;
        return this;
    }

    AcquireRequest request() {
        return new AcquireRequest(
                resource,
                owner,
                mode,
                new AcquireRequest.Terms(ttlMillis, waiterTtlMillis, tokens),
                queue,
                new AcquireRequest.Update(floor, heal, value));
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
        AcquireAnswer answer = patience.executed(() -> node.acquire(request()));
        assertThat(answer).as("answer to %s", request()).isInstanceOf(kind);
        return kind.cast(answer);
    }
}
