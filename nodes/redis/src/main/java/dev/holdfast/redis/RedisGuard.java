package dev.holdfast.redis;

import dev.holdfast.fence.StaleTokenException;
import dev.holdfast.redis.script.LockKeys;
import dev.holdfast.redis.script.LuaScript;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Objects;

/**
 * Guards values in Redis by their writers' fencing tokens: token and value are looked at and changed in one script. Thread-safe.
 *
 * <p>The newest token of {@code key} is kept at {@code {key}:holdfast:token}, without expiry, in the same slot of a cluster. Whoever writes the value without
 * the guard is not held up. A Redis that evicts keys, or fails over to a replica that lags, may forget tokens: then an older one passes.
 *
 * <p>For other drivers {@link #script} is the whole of it: KEYS are the value's key and {@link #tokenKey}, ARGV the token, {@code SET},
 * {@code DEL} or {@code CHECK}, and the value; the answer is empty if the token passed, else the larger one.
 */
public final class RedisGuard {

    private static final long LARGEST_TOKEN = (1L << 53) - 1;

    private final RedisCommands<String, String> redis;

    /**
     * A guard of values on this connection, which stays the caller's.
     *
     * @param connection not in a transaction, nor with pub/sub
     */
    public RedisGuard(StatefulRedisConnection<String, String> connection) {
        this.redis = connection.sync();
    }

    /** The script, for other drivers. */
    public static String script() {
        return LuaScript.GUARD.text();
    }

    /** Where the newest token of this key is kept. */
    public static String tokenKey(String key) {
        return LockKeys.side(key, "token");
    }

    /**
     * Sets the value, if no larger token has passed.
     *
     * @param token 1 to 2^53 - 1; the one that was here last passes again
     * @throws StaleTokenException if a larger token was here before; nothing is changed
     * @throws io.lettuce.core.RedisException what Redis or the driver says; after a timeout it may have been set
     */
    public void set(String key, String value, long token) {
        write(key, token, "SET", Objects.requireNonNull(value, "value"));
    }

    /** Deletes the value, if no larger token has passed; as {@link #set}. The token is remembered. */
    public void delete(String key, long token) {
        write(key, token, "DEL", "");
    }

    /** Lets the token pass and remembers it, before a value is read that is about to be changed; as {@link #set}. */
    public void check(String key, long token) {
        write(key, token, "CHECK", "");
    }

    private void write(String key, long token, String what, String value) {
        if (token < 1 || token > LARGEST_TOKEN) {
            throw new IllegalArgumentException("token is " + token + ", but must be from 1 to " + LARGEST_TOKEN);
        }
        String[] keys = {Objects.requireNonNull(key, "key"), tokenKey(key)};
        String[] values = {Long.toString(token), what, value};
        String newest;
        try {
            newest = redis.evalsha(LuaScript.GUARD.sha1(), ScriptOutputType.VALUE, keys, values);
        } catch (RedisNoScriptException e) {
            newest = redis.eval(script(), ScriptOutputType.VALUE, keys, values);
        }
        if (!newest.isEmpty()) {
            throw new StaleTokenException(key, token, Long.parseLong(newest));
        }
    }
}
