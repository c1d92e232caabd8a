package dev.holdfast.sample.orders;

/**
 * An order as it stands in the database.
 *
 * @param fence the token under which it was changed last; 0 if it was not yet
 */
public record Order(long id, String customer, long cents, State state, long fence) {

    /** How far it has come. */
    public enum State {
        NEW,
        PAID,
        SHIPPED
    }
}
