package dev.holdfast.redis;

import dev.holdfast.node.Unavailable;

/**
 * A request about one lock as a script takes it, with {@linkplain LockKeys all keys} of the lock, and how its answer is read.
 *
 * @param <A> the kind of answer
 */
interface ScriptCall<A> {

    LuaScript script();

    /** The name of the lock, which is its key. */
    String resource();

    /** How many arguments {@link #addArgumentsTo} adds. */
    int arguments();

    void addArgumentsTo(RequestBytes request);

    /** Throws {@link Reply.UnexpectedReplyException} if it is no answer. */
    A answer(Reply reply);

    /** The same as an answer of this kind. */
    A unavailable(Unavailable unavailable);

    /** EVALSHA, or EVAL of a server that has forgotten the script. */
    default RequestBytes request(boolean byName) {
        RequestBytes request = new RequestBytes(
                3 + LockKeys.NUMBER + arguments(), LockKeys.NUMBER * resource().length());
        if (byName) {
            request.addName(script());
        } else {
            request.addText(script());
        }
        LockKeys.addTo(request, resource());
        addArgumentsTo(request);
        return request;
    }
}
