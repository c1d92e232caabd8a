package dev.holdfast.server.caller;

import org.jspecify.annotations.Nullable;

/** The callers that may use the server, by the secrets of their tokens. Thread-safe. */
public interface CallerDirectory {

    /** Returns whether the server requires no token, so that every client may do everything. */
    boolean isOpen();

    /** Returns the caller whose token has this secret, or null if there is none. The call takes constant time, so that it does not reveal how much matches. */
    @Nullable
    Caller find(String secret);
}
