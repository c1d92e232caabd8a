package dev.holdfast.redis;

import dev.holdfast.node.Unavailable;

/**
 * A request as a script takes it, and how its answer is read.
 *
 * @param <A> the kind of answer
 */
interface ScriptCall<A> {

    LuaScript script();

    String[] keys();

    String[] args();

    /** Throws {@link Reply.UnexpectedReplyException} if it is no answer. */
    A answer(Reply reply);

    /** The same as an answer of this kind. */
    A unavailable(Unavailable unavailable);
}
