package dev.holdfast.sample.orders;

/**
 * A message of the payment provider, which delivers each at least once: {@code {"message":"evt-77","order":42}}.
 *
 * @param message the provider's id of the message, the same in every delivery
 */
public record Payment(String message, long order) {

    private static final int LONGEST = 100;

    public Payment {
        message = Texts.required("message", message, LONGEST);
        if (order < 1) {
            throw new IllegalArgumentException("order is " + order + ", but must be 1 or more");
        }
    }
}
