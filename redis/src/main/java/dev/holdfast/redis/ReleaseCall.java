package dev.holdfast.redis;

import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;

/**
 * RELEASE as release.lua takes and answers it.
 *
 * @param base as for {@link AcquireCall}, for who is granted the lock next
 */
record ReleaseCall(ReleaseRequest request, long fenceRetentionMillis, long base) implements ScriptCall<ReleaseAnswer> {

    private static final ReleaseAnswer RELEASED = new ReleaseAnswer.Released();
    private static final ReleaseAnswer ABSENT = new ReleaseAnswer.Absent();

    @Override
    public LuaScript script() {
        return LuaScript.RELEASE;
    }

    @Override
    public String resource() {
        return request.resource();
    }

    @Override
    public int arguments() {
        return request.seal() != null ? 7 : isPlain() ? 3 : 5;
    }

    private boolean isPlain() {
        return request.buryMillis() == 0 && request.seal() == null;
    }

    @Override
    public void addArgumentsTo(RequestBytes to) {
        to.add(request.owner()).add(fenceRetentionMillis).add(base);
        if (!isPlain()) {
            Seal seal = request.seal();
            to.add(request.buryMillis()).add(seal == null ? 0 : seal.remainingMillis());
            if (seal != null) {
                to.add(seal.agoMillis()).add(seal.by());
            }
        }
    }

    @Override
    public ReleaseAnswer answer(Reply reply) {
        long had = reply.isNumber() ? reply.number(0) : -1;
        if (had != 0 && had != 1) {
            throw reply.unexpected("0 or 1");
        }
        return had == 1 ? RELEASED : ABSENT;
    }

    @Override
    public ReleaseAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
