package dev.holdfast.server.caller;

import org.jspecify.annotations.Nullable;

/** The callers that may use the server, by the secrets of their tokens. Thread-safe. */
public interface CallerDirectory {

    /** Whether the server asks for no token, so that everybody may do everything. */
    boolean isOpen();

    /** Returns the caller whose token has this secret, or null if there is none; its duration does not tell how much of the secret is right. */
    @Nullable
    Caller find(String secret);
}
