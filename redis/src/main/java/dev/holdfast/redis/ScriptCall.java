package dev.holdfast.redis;

import dev.holdfast.node.Unavailable;

/**
 * A request about a lock as a script takes it, with {@linkplain LockKeys all keys} of the lock, and how its answer is read.
 *
 * @param <A> the kind of answer
 */
interface ScriptCall<A> {

    LuaScript script();

    /** The name of the lock, which is its key; of the first one, if it is about several. */
    String resource();

    /** How many locks it is about. */
    default int locks() {
        return 1;
    }

    /** Adds the keys of all of them. */
    default void addKeysTo(RequestBytes request) {
        LockKeys.addTo(request, resource());
    }

    /** How many arguments {@link #addArgumentsTo} adds. */
    int arguments();

    void addArgumentsTo(RequestBytes request);

    /** Throws {@link Reply.UnexpectedReplyException} if it is no answer. */
    A answer(Reply reply);

    /** The same as an answer of this kind. */
    A unavailable(Unavailable unavailable);

    /** EVALSHA, or EVAL of a server that has forgotten the script. */
    default RequestBytes request(boolean byName) {
        int keys = LockKeys.NUMBER * locks();
        RequestBytes request = new RequestBytes(
                3 + keys + arguments(), locks(), keys * resource().length());
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
