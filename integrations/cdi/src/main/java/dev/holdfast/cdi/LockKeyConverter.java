package dev.holdfast.cdi;

import java.util.function.Function;

/**
 * A conversion of objects of one type to the text of a {@link Locked#key}, for a type that Holdfast cannot convert itself. A bean of this type is used for all
 * keys and all parts of keys.
 *
 * <pre>{@code
 * @Produces
 * @Singleton
 * LockKeyConverter<Order> orderKeys() {
 *     return LockKeyConverter.of(Order.class, Order::number);
 * }
 * }</pre>
 *
 * @param <T> the type
 */
public interface LockKeyConverter<T> {

    /** Returns the type. The converter applies to its subtypes too. */
    Class<T> type();

    /**
     * Returns the text of an object. The text must be the same for equal objects in every instance of the application. The threads that call locked methods
     * call this method.
     */
    String textOf(T value);

    /** Returns a converter that uses the given function. */
    static <T> LockKeyConverter<T> of(Class<T> type, Function<? super T, String> text) {
        return new LockKeyConverter<>() {
            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public String textOf(T value) {
                return text.apply(value);
            }
        };
    }
}
