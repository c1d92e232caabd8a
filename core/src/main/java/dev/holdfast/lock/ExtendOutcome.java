package dev.holdfast.lock;

/** What came of prolonging a lease. */
public enum ExtendOutcome {
    /** It is valid for the time asked for, less clock drift. */
    EXTENDED,
    /** No majority agreed in time: the old validity stands, and it may be tried again. */
    UNCONFIRMED,
    /** The lease had been lost or released, or is lost now. */
    LOST,
}
