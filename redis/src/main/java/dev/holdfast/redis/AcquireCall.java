package dev.holdfast.redis;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import org.jspecify.annotations.Nullable;

/**
 * ACQUIRE as acquire.lua takes and answers it.
 *
 * @param base what no fence of this run of the server may be below, 1 or more
 */
record AcquireCall(AcquireRequest request, long fenceRetentionMillis, long base) implements ScriptCall<AcquireAnswer> {

    @Override
    public LuaScript script() {
        return LuaScript.ACQUIRE;
    }

    @Override
    public String[] keys() {
        return LockKeys.of(request.resource());
    }

    @Override
    public String[] args() {
        return new String[] {
            request.owner().toString(),
            request.mode().name(),
            Long.toString(request.ttlMillis()),
            request.queue() ? "1" : "0",
            Long.toString(request.waiterTtlMillis()),
            Integer.toString(request.tokens()),
            Long.toString(request.floor()),
            request.heal() ? "1" : "0",
            Long.toString(fenceRetentionMillis),
            Long.toString(base),
        };
    }

    @Override
    public AcquireAnswer answer(Reply reply) {
        return switch (reply.text(0)) {
            case "GRANTED" -> new Granted(reply.fence(1), contender(reply), latestTicketTime(reply, 3));
            case "QUEUED" ->
                new Queued(
                        reply.millis(1), reply.fence(2), reply.count(3), blocker(reply, 4), latestTicketTime(reply, 7));
            case "DENIED" -> new Denied(reply.millis(1), reason(reply), blocker(reply, 3), latestTicketTime(reply, 6));
            case "SEALED" -> new Sealed(Math.max(reply.millis(1), 0));
            default -> throw reply.unexpected("GRANTED, QUEUED, DENIED or SEALED");
        };
    }

    private static @Nullable Ticket contender(Reply reply) {
        String owner = reply.text(2);
        if (owner.isEmpty()) {
            return null;
        }
        return OwnerId.parse(owner)
                .orElseThrow(() -> reply.unexpected("an owner id at 2"))
                .ticket();
    }

    private long latestTicketTime(Reply reply, int index) {
        return reply.text(index).isEmpty() ? request.owner().attempt() : reply.number(index);
    }

    private static Denied.Reason reason(Reply reply) {
        return switch (reply.text(2)) {
            case "BURIED" -> Denied.Reason.BURIED;
            case "NO_VOTE" -> Denied.Reason.NO_VOTE;
            case "HELD" -> Denied.Reason.HELD;
            case "WAITERS" -> Denied.Reason.WAITERS;
            default -> throw reply.unexpected("a reason at 2");
        };
    }

    private static @Nullable Blocker blocker(Reply reply, int index) {
        String kind = reply.text(index);
        return kind.isEmpty()
                ? null
                : new Blocker(kind(reply, kind), shown(reply.text(index + 1)), reply.millis(index + 2));
    }

    static Blocker.Kind kind(Reply reply, String text) {
        return switch (text) {
            case "HOLDFAST" -> Blocker.Kind.HOLDFAST;
            case "FOREIGN" -> Blocker.Kind.FOREIGN;
            case "OTHER_TYPE" -> Blocker.Kind.OTHER_TYPE;
            default -> throw reply.unexpected("the kind of a holder");
        };
    }

    /** An owner id as it is, a foreign value so that it can be shown. */
    static String shown(String owner) {
        return Printable.shortened(owner, 160);
    }

    @Override
    public AcquireAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
