package dev.holdfast.cluster;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import java.util.function.Consumer;

/**
 * One operation in the log. Queries go through the log as well, so their answers are linearizable, and have the log's time.
 *
 * @param <A> the type of the answer
 */
sealed interface Operation<A> {

    /** Carries out the operation at the table, at the time of its entry. */
    A apply(LockTable table, long now, Consumer<Push> pushes);

    /** ACQUIRE of PROTOCOL §3. */
    record Acquire(AcquireRequest request) implements Operation<AcquireAnswer> {
        @Override
        public AcquireAnswer apply(LockTable table, long now, Consumer<Push> pushes) {
            return table.acquire(request, now, pushes);
        }
    }

    /** RELEASE of PROTOCOL §3. */
    record Release(ReleaseRequest request) implements Operation<ReleaseAnswer> {
        @Override
        public ReleaseAnswer apply(LockTable table, long now, Consumer<Push> pushes) {
            return table.release(request, now, pushes);
        }
    }

    /** INSPECT of PROTOCOL §3. */
    record Inspect(String resource) implements Operation<InspectAnswer> {
        @Override
        public InspectAnswer apply(LockTable table, long now, Consumer<Push> pushes) {
            return table.inspect(resource, now);
        }
    }

    /** LIST of PROTOCOL §3. */
    record Names(String prefix, int limit) implements Operation<ListAnswer> {
        @Override
        public ListAnswer apply(LockTable table, long now, Consumer<Push> pushes) {
            return table.list(prefix, limit, now);
        }
    }

    /** Drops expired state. The answer is the number of resources that are left. */
    record Sweep() implements Operation<Integer> {
        @Override
        public Integer apply(LockTable table, long now, Consumer<Push> pushes) {
            table.dropUnused(now);
            return table.size();
        }
    }
}
