package dev.holdfast.redis.script;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import io.lettuce.core.protocol.CommandArgs;
import org.jspecify.annotations.Nullable;

/**
 * ACQUIRE as acquire.lua or acquire-alone.lua takes and answers it.
 *
 * @param base the lower bound of the fences of this run of the server, at least 1; {@link #BASE_OF_CLOCK} to follow the server's
 *     clock
 * @param alone whether the script is acquire-alone.lua
 */
public record AcquireCall(AcquireRequest request, long fenceRetentionMillis, long base, boolean alone)
        implements ScriptCall<AcquireAnswer> {

    /** The base that follows the server's clock: no fence is below the one for the server's present time. */
    public static final long BASE_OF_CLOCK = (1L << 53) - 1;

    private static final int LONGEST_OWNER = 2_000;

    /** Creates a call of acquire.lua. */
    public AcquireCall(AcquireRequest request, long fenceRetentionMillis, long base) {
        this(request, fenceRetentionMillis, base, false);
    }

    /** Returns the same request for acquire-alone.lua. */
    AcquireCall asAlone() {
        return new AcquireCall(request, fenceRetentionMillis, base, true);
    }

    /** Returns the same request for acquire.lua. */
    AcquireCall asAmongOthers() {
        return new AcquireCall(request, fenceRetentionMillis, base);
    }

    @Override
    public LuaScript script() {
        return alone ? LuaScript.ACQUIRE_ALONE : LuaScript.ACQUIRE;
    }

    @Override
    public String[] keys() {
        return (alone ? LockKeys.Choice.FENCE_OTHERS_AND_TTL : LockKeys.Choice.ALL).of(resource());
    }

    @Override
    public String resource() {
        return request.resource();
    }

    /** Returns whether the request extends an exclusive vote, and does nothing else. */
    public boolean isExtension() {
        return request.heal() && request.mode() == LockMode.EX && request.value() == null;
    }

    /**
     * Returns whether the remaining arguments can be left out. Most requests are for an exclusive vote with one token, and the script does
     * not read absent arguments.
     */
    private boolean isPlain() {
        return request.tokens() == 1 && isForANewVote();
    }

    /** Returns whether the request is for an exclusive vote that is not there yet, as far as the caller knows. */
    boolean isForANewVote() {
        return request.mode() == LockMode.EX && request.floor() == 0 && !request.heal();
    }

    @Override
    public void addArgumentsTo(CommandArgs<String, String> to) {
        to.add(request.owner().toString())
                .add(request.ttlMillis())
                .add(fenceRetentionMillis)
                .add(base);
        if (alone) {
            if (request.tokens() != 1) {
                to.add(request.tokens());
            }
            return;
        }
        to.add(request.queue() ? request.waiterTtlMillis() : 0);
        if (!isPlain()) {
            to.add(request.mode().name())
                    .add(request.tokens())
                    .add(request.floor())
                    .add(request.heal() ? 1 : 0);
        }
        LockValue value = request.value();
        if (value != null) {
            to.add(value.token()).add(value.number()).addValue(value.text());
        }
    }

    /** Returns the request to send instead, and notes whether the lock is contended: acquire.lua answers with a number only if it is not. */
    @Override
    public @Nullable AcquireCall instead(Reply reply, AloneLocks locks) {
        boolean left = isLeftToAnother(reply);
        boolean isAlone = alone ? !left : reply.isNumber();
        if (isForANewVote()) {
            locks.found(resource(), isAlone);
        } else if (!isAlone) { // a vote of this owner does not show whether locks are free
            locks.markContended(resource());
        }
        return left ? locks.askAgain(this) : null;
    }

    private boolean isLeftToAnother(Reply reply) {
        return alone && reply.isNumber() && reply.number(0) == 0;
    }

    @Override
    public void removeFrom(AloneLocks locks) {
        if (alone) {
            locks.remove(this);
        }
    }

    @Override
    public AcquireAnswer answer(Reply reply) {
        if (isLeftToAnother(reply)) { // and the owner has released it already
            return new Denied(0, Denied.Reason.BURIED, null, 0);
        }
        if (reply.isNumber()) {
            return new Granted(reply.fence(0), null, request.owner().attempt());
        }
        return switch (reply.text(0)) {
            case "GRANTED" ->
                new Granted(
                        reply.fence(1),
                        contender(reply),
                        reply.number(3),
                        reply.size() > 5 ? value(reply, 5) : null,
                        reply.millis(4));
            case "QUEUED" ->
                new Queued(
                        reply.millis(1),
                        reply.fence(2),
                        reply.count(3),
                        blocker(reply, 4),
                        reply.number(7),
                        reply.millis(8));
            case "DENIED" ->
                new Denied(reply.millis(1), reason(reply), blocker(reply, 3), reply.number(6), reply.millis(7));
            case "SEALED" -> new Sealed(seal(reply, 1));
            default -> throw reply.unexpected("a fence, GRANTED, QUEUED, DENIED or SEALED");
        };
    }

    static LockValue value(Reply reply, int index) {
        long token = reply.fence(index);
        long number = reply.fence(index + 1);
        if (token == 0 || number == 0) {
            throw reply.unexpected("the token and number of a value at " + index);
        }
        return new LockValue(token, number, reply.text(index + 2));
    }

    static Seal seal(Reply reply, int index) {
        return new Seal(shown(reply.text(index + 2)), reply.millis(index + 1), reply.remainingMillis(index));
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
                : new Blocker(kind(reply, kind), shown(reply.text(index + 1)), reply.remainingMillis(index + 2));
    }

    static Blocker.Kind kind(Reply reply, String text) {
        return switch (text) {
            case "HOLDFAST" -> Blocker.Kind.HOLDFAST;
            case "FOREIGN" -> Blocker.Kind.FOREIGN;
            case "OTHER_TYPE" -> Blocker.Kind.OTHER_TYPE;
            default -> throw reply.unexpected("the kind of a holder");
        };
    }

    /** Returns an owner id as it is, and a foreign value in printable form. The scripts have shortened the value. */
    static String shown(String owner) {
        return Printable.shortened(owner, LONGEST_OWNER);
    }

    @Override
    public AcquireAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
