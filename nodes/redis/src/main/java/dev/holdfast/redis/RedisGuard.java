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
 * A guard of values in Redis by the fencing tokens of their writers. One script compares the token and changes the value. Thread-safe.
 *
 * <p>The newest token of {@code key} is kept at {@code {key}:holdfast:token}, without expiry, usually in the same slot of a cluster ({@link #tokenKey}). The guard does
 * not stop a client that writes the value without it. A Redis server that evicts keys, or fails over to a replica that lags, may lose
 * tokens: then an older token passes.
 *
 * <p>Other drivers need only {@link #script}. Its KEYS are the value's key and {@link #tokenKey}; its ARGV are the token, one of {@code
 * SET}, {@code DEL} and {@code CHECK}, and the value. The answer is empty if the token passed, and otherwise the larger token.
 */
public final class RedisGuard {

    private static final long LARGEST_TOKEN = (1L << 53) - 1;

    private final RedisCommands<String, String> redis;

    /**
     * Creates a guard of values on this connection. The caller remains responsible for closing the connection.
     *
     * @param connection not in a transaction, nor with pub/sub
     */
    public RedisGuard(StatefulRedisConnection<String, String> connection) {
        this.redis = connection.sync();
    }

    /** Returns the script, for use with other drivers. */
    public static String script() {
        return LuaScript.GUARD.text();
    }

    /** Returns the key that holds the newest token of this key. In a cluster it is in another slot if the key has braces that are not a hash tag, as in {@code a}b}. */
    public static String tokenKey(String key) {
        return LockKeys.side(key, "token");
    }

    /**
     * Sets the value, if no larger token has passed.
     *
     * @param token 1 to 2^53 - 1; the token that passed last passes again
     * @throws StaleTokenException if a larger token has passed before; nothing is changed
     * @throws io.lettuce.core.RedisException if Redis or the driver reports an error; after a timeout the value may have been set
     */
    public void set(String key, String value, long token) {
        write(key, token, "SET", Objects.requireNonNull(value, "value"));
    }

    /** Deletes the value, if no larger token has passed; like {@link #set}. The server remembers the token. */
    public void delete(String key, long token) {
        write(key, token, "DEL", "");
    }

    /** Checks the token and remembers it, before the caller reads a value that it is about to change; like {@link #set}. */
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
