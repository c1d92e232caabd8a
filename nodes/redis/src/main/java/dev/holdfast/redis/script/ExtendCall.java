package dev.holdfast.redis.script;

import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Unavailable;
import io.lettuce.core.protocol.CommandArgs;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Extensions of several leases in one request, as extend.lua takes and answers them.
 *
 * @param calls each {@linkplain AcquireCall#isExtension an extension}
 */
public record ExtendCall(List<AcquireCall> calls) implements ScriptCall<ExtendCall.Fences> {

    /**
     * The script's answer.
     *
     * @param reply for each lease its fence, or 0 if its extension has to be re-sent; null if there is no answer
     */
    public record Fences(@Nullable Reply reply) {

        public boolean areThere() {
            return reply != null;
        }

        /** Returns the fence of a lease; 0 if its extension has to be re-sent. */
        public long of(int call) {
            return reply == null ? 0 : reply.fence(call);
        }
    }

    @Override
    public LuaScript script() {
        return LuaScript.EXTEND;
    }

    @Override
    public String resource() {
        return calls.get(0).resource();
    }

    @Override
    public String[] keys() {
        return calls.stream()
                .flatMap(call -> Stream.of(LockKeys.Choice.FENCE_OTHERS_AND_TTL.of(call.resource())))
                .toArray(String[]::new);
    }

    @Override
    public void addArgumentsTo(CommandArgs<String, String> to) {
        to.add(calls.get(0).fenceRetentionMillis());
        for (AcquireCall call : calls) {
            AcquireRequest request = call.request();
            to.add(request.owner().toString()).add(request.ttlMillis()).add(request.floor());
        }
    }

    @Override
    public Fences answer(Reply reply) {
        for (int i = 0; i < calls.size(); i++) {
            reply.fence(i); // throws if the part is not a fence
        }
        return new Fences(reply);
    }

    /** Returns no fences: the re-sent requests report the reason. */
    @Override
    public Fences unavailable(Unavailable unavailable) {
        return new Fences(null);
    }
}
