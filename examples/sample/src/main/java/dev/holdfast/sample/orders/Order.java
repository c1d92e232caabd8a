package dev.holdfast.sample.orders;

/**
 * An order in the database.
 *
 * @param fence the token of its last change; 0 if there was none
 */
public record Order(long id, String customer, long cents, State state, long fence) {

    /** The progress of an order. */
    public enum State {
        NEW,
        PAID,
        SHIPPED
    }
}
