package dev.holdfast.redis.script;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import io.lettuce.core.protocol.CommandArgs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** INSPECT as inspect.lua takes and answers it. */
public record InspectCall(String resource) implements ScriptCall<InspectAnswer> {

    @Override
    public LuaScript script() {
        return LuaScript.INSPECT;
    }

    @Override
    public void addArgumentsTo(CommandArgs<String, String> to) {}

    @Override
    public InspectAnswer answer(Reply reply) {
        Reply seal = reply.list(3);
        Reply value = reply.list(4);
        return new ResourceState(
                resource,
                reply.fence(0),
                holders(reply.list(1)),
                waiters(reply.list(2)),
                seal.size() == 0 ? null : AcquireCall.seal(seal, 0),
                value.size() == 0 ? null : AcquireCall.value(value, 0));
    }

    private static List<ResourceState.Holder> holders(Reply flat) {
        List<ResourceState.Holder> holders = new ArrayList<>();
        for (int i = 0; i < flat.size(); i += 5) {
            holders.add(new ResourceState.Holder(
                    AcquireCall.kind(flat, flat.text(i)),
                    AcquireCall.shown(flat.text(i + 1)),
                    mode(flat, i + 2),
                    flat.fence(i + 3),
                    flat.remainingMillis(i + 4)));
        }
        holders.sort(Comparator.comparing(ResourceState.Holder::owner));
        return holders;
    }

    private static List<ResourceState.Waiter> waiters(Reply flat) {
        List<ResourceState.Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < flat.size(); i += 3) {
            waiters.add(
                    new ResourceState.Waiter(AcquireCall.shown(flat.text(i)), mode(flat, i + 1), flat.millis(i + 2)));
        }
        return waiters;
    }

    private static LockMode mode(Reply flat, int index) {
        String name = flat.text(index);
        for (LockMode mode : LockMode.values()) {
            if (mode.name().equals(name)) {
                return mode;
            }
        }
        throw flat.unexpected("a lock mode at " + index);
    }

    @Override
    public InspectAnswer unavailable(Unavailable unavailable) {
        return unavailable;
    }
}
