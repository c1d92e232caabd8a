package dev.holdfast.redis.script;

import dev.holdfast.node.Unavailable;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import org.jspecify.annotations.Nullable;

/**
 * A request about a lock as the arguments of a script, and the meaning of the script's answer.
 *
 * @param <A> the kind of answer
 */
public interface ScriptCall<A> {

    /** Returns the script that carries out the request. */
    LuaScript script();

    /** Returns the lock key of the request; the first one of a request about several locks. */
    String resource();

    /** Returns the keys that the script is given, the lock key first. */
    default String[] keys() {
        return LockKeys.Choice.ALL.of(resource());
    }

    /** Adds the arguments that follow the keys. */
    void addArgumentsTo(CommandArgs<String, String> to);

    /**
     * Returns the request to send instead, if the script has left the lock unchanged because another script is responsible. Returns null if
     * the script has answered.
     *
     * @param locks learns from the reply whether the lock is contended
     */
    default @Nullable ScriptCall<A> instead(Reply reply, AloneLocks locks) {
        return null;
    }

    /** Removes the request from the record: it has been answered, or the request in its place has been sent. Called once or twice. */
    default void removeFrom(AloneLocks locks) {}

    /**
     * Reads the answer.
     *
     * @throws Reply.UnexpectedReplyException if none of Holdfast's scripts answers in this form
     */
    A answer(Reply reply);

    /** Returns the answer of this kind for a node that gave none. */
    A unavailable(Unavailable unavailable);

    /**
     * Returns all arguments of EVALSHA, or of EVAL for a server that does not know the script.
     *
     * @param byName true for EVALSHA
     */
    default CommandArgs<String, String> commandArgs(boolean byName) {
        String[] keys = keys();
        CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8)
                .add(byName ? script().sha1() : script().text())
                .add(keys.length)
                .addKeys(keys);
        addArgumentsTo(all);
        return all;
    }
}
