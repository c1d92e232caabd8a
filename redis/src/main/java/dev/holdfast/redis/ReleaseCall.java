package dev.holdfast.redis;

import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;

/**
 * RELEASE as release.lua takes and answers it.
 *
 * @param base as for {@link AcquireCall}, for who is granted the lock next
 */
record ReleaseCall(ReleaseRequest request, long fenceRetentionMillis, long base) implements ScriptCall<ReleaseAnswer> {

    @Override
    public LuaScript script() {
        return LuaScript.RELEASE;
    }

    @Override
    public String[] keys() {
        return LockKeys.of(request.resource());
    }

    @Override
    public String[] args() {
        return new String[] {
            request.owner().toString(),
            Long.toString(request.buryMillis()),
            Long.toString(request.sealMillis()),
            Long.toString(fenceRetentionMillis),
            Long.toString(base),
        };
    }

    @Override
    public ReleaseAnswer answer(Reply reply) {
        return switch (reply.text(0)) {
            case "RELEASED" -> new ReleaseAnswer.Released();
            case "ABSENT" -> new ReleaseAnswer.Absent();
            default -> throw reply.unexpected("RELEASED or ABSENT");
        };
    }

    @Override
    public ReleaseAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
