package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.LockedMethodException;
import io.smallrye.common.expression.Expression;
import java.util.NoSuchElementException;

/** Expressions in the texts of annotations, with the syntax of those in configuration files. */
final class Expressions {

    private Expressions() {}

    /**
     * Returns a text of a method's annotation, in which each expression is replaced by the value of its property, or by its default.
     *
     * @throws LockedMethodException if a property without a default is not set
     */
    static String resolved(MethodShape method, String text, Platform platform) {
        if (!text.contains("${")) {
            return text;
        }
        try {
            return resolved(text, platform);
        } catch (NoSuchElementException | IllegalArgumentException e) {
            throw new LockedMethodException(
                    method.text(), "has the text '" + text + "': " + e.getMessage(), "Set the property", e);
        }
    }

    private static String resolved(String text, Platform platform) {
        return Expression.compile(text, Expression.Flag.LENIENT_SYNTAX, Expression.Flag.NO_TRIM)
                .evaluate((context, result) -> {
                    String property = context.getKey();
                    String value = platform.property(property).orElse(null);
                    if (value != null) {
                        result.append(value);
                    } else if (context.hasDefault()) {
                        context.expandDefault();
                    } else {
                        throw new NoSuchElementException("the property " + property + " is not set");
                    }
                });
    }
}
