package dev.holdfast.sample.orders;

/** A customer's request: {@code {"customer":"ada","cents":1999}}. */
public record NewOrder(String customer, long cents) {

    private static final int LONGEST = 100;
    private static final long DEAREST = 100_000_000;

    public NewOrder {
        customer = Texts.required("customer", customer, LONGEST);
        if (cents < 1 || cents > DEAREST) {
            throw new IllegalArgumentException("cents is " + cents + ", but must be from 1 to " + DEAREST);
        }
    }
}
