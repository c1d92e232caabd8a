package dev.holdfast.redis.script;

import dev.holdfast.redis.TestServer;
import dev.holdfast.redis.process.RedisProcess;
import java.util.function.BiFunction;

/** Compares the scripts that its class loader gives with LockTable, at a server that runs; gives what was noticed, '' if nothing was. */
public final class LuaTrial implements BiFunction<RedisProcess, Integer, String> {

    /** For the loader of a mutant. */
    public LuaTrial() {}

    @Override
    public String apply(RedisProcess process, Integer operations) {
        try {
            return LuaAgainstLockTableTest.noticed(TestServer.at(process), operations);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
