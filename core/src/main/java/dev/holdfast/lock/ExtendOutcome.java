package dev.holdfast.lock;

/** The outcome of extending a lease. */
public enum ExtendOutcome {
    /** The lease is valid for the requested time, less the drift allowance. */
    EXTENDED,
    /** No majority of nodes confirmed the extension in time. The lease stays valid for as long as before, and the caller may try again. */
    UNCONFIRMED,
    /** The lease was lost or released before the call, or is lost now. */
    LOST,
}
