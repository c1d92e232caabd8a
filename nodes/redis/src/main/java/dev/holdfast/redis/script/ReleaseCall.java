package dev.holdfast.redis.script;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import io.lettuce.core.protocol.CommandArgs;
import org.jspecify.annotations.Nullable;

/**
 * RELEASE as release.lua or release-alone.lua takes and answers it.
 *
 * @param base as for {@link AcquireCall}, for the waiter that is granted the lock next
 * @param alone whether the script is release-alone.lua
 */
public record ReleaseCall(ReleaseRequest request, long fenceRetentionMillis, long base, boolean alone)
        implements ScriptCall<ReleaseAnswer> {

    private static final ReleaseAnswer RELEASED = new ReleaseAnswer.Released();
    private static final ReleaseAnswer ABSENT = new ReleaseAnswer.Absent();

    /** Creates a call of release.lua. */
    public ReleaseCall(ReleaseRequest request, long fenceRetentionMillis, long base) {
        this(request, fenceRetentionMillis, base, false);
    }

    /** Returns the same request for release-alone.lua. */
    ReleaseCall asAlone() {
        return new ReleaseCall(request, fenceRetentionMillis, base, true);
    }

    /** Returns the same request with a tombstone that lasts this long. */
    ReleaseCall burying(long millis) {
        ReleaseRequest burying = new ReleaseRequest(
                request.resource(),
                request.owner(),
                Math.max(request.buryMillis(), millis),
                request.seal(),
                request.value());
        return new ReleaseCall(burying, fenceRetentionMillis, base);
    }

    private ReleaseCall asAmongOthers() {
        return new ReleaseCall(request, fenceRetentionMillis, base);
    }

    @Override
    public LuaScript script() {
        return alone ? LuaScript.RELEASE_ALONE : LuaScript.RELEASE;
    }

    @Override
    public String[] keys() {
        return (alone ? LockKeys.Choice.OTHERS : LockKeys.Choice.ALL).of(resource());
    }

    @Override
    public String resource() {
        return request.resource();
    }

    /** Returns whether the release leaves nothing behind: neither a tombstone nor a seal nor a value. */
    boolean isPlain() {
        return request.buryMillis() == 0 && request.seal() == null && request.value() == null;
    }

    @Override
    public void addArgumentsTo(CommandArgs<String, String> to) {
        to.add(request.owner().toString());
        if (alone) {
            return;
        }
        to.add(fenceRetentionMillis).add(base);
        if (!isPlain()) {
            Seal seal = request.seal();
            to.add(request.buryMillis())
                    .add(seal == null ? 0 : seal.remainingMillis().orElseThrow());
            LockValue value = request.value();
            if (seal != null) {
                to.add(seal.agoMillis()).addValue(seal.by());
            } else if (value != null) {
                to.add(0).add("");
            }
            if (value != null) {
                to.add(value.token()).add(value.number()).addValue(value.text());
            }
        }
    }

    @Override
    public @Nullable ReleaseCall instead(Reply reply, AloneLocks locks) {
        if (alone && reply.isNumber() && reply.number(0) == 0) {
            locks.markContended(resource());
            return asAmongOthers();
        }
        return null;
    }

    @Override
    public ReleaseAnswer answer(Reply reply) {
        if (reply.isNumber() && reply.number(0) == 1) {
            return RELEASED;
        } else if (reply.isNumber() && reply.number(0) == 0) {
            return ABSENT;
        }
        throw reply.unexpected("0 or 1");
    }

    @Override
    public ReleaseAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
