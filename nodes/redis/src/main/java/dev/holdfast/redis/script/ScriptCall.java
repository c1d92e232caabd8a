package dev.holdfast.redis.script;

import dev.holdfast.node.Unavailable;
import org.jspecify.annotations.Nullable;

/**
 * A request about a lock as a script takes it, with {@linkplain LockKeys keys} of the lock, and how its answer is read.
 *
 * @param <A> the kind of answer
 */
public interface ScriptCall<A> {

    LuaScript script();

    /** The name of the lock, which is its key; of the first one, if it is about several. */
    String resource();

    /** How many locks it is about. */
    default int locks() {
        return 1;
    }

    /** Which keys of each the script is given. */
    default LockKeys.Choice keys() {
        return LockKeys.Choice.ALL;
    }

    /** Adds the keys of all of them. */
    default void addKeysTo(RequestBytes request) {
        LockKeys.addTo(request, resource(), keys());
    }

    /** How many arguments {@link #addArgumentsTo} adds. */
    int arguments();

    void addArgumentsTo(RequestBytes request);

    /**
     * What has to be asked instead, since the script has left it to another and done nothing; null if it has answered.
     *
     * @param locks are told what the reply shows of the lock
     */
    default @Nullable ScriptCall<A> instead(Reply reply, AloneLocks locks) {
        return null;
    }

    /** It is answered, or what is asked instead is sent; told once or twice. */
    default void isOver(AloneLocks locks) {}

    /** Throws {@link Reply.UnexpectedReplyException} if it is no answer. */
    A answer(Reply reply);

    /** The same as an answer of this kind. */
    A unavailable(Unavailable unavailable);

    /** EVALSHA, or EVAL of a server that has forgotten the script. */
    default RequestBytes request(boolean byName) {
        int keys = keys().size() * locks();
        RequestBytes request = new RequestBytes(
                3 + keys + arguments(), locks(), keys, keys * resource().length());
        if (byName) {
            request.addName(script());
        } else {
            request.addText(script());
        }
        request.add(keys);
        addKeysTo(request);
        addArgumentsTo(request);
        return request;
    }
}
