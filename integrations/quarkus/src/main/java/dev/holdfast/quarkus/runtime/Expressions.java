package dev.holdfast.quarkus.runtime;

import io.smallrye.common.expression.Expression;
import java.util.NoSuchElementException;
import org.eclipse.microprofile.config.ConfigProvider;

/** Expressions in the texts of annotations, with the syntax of those in configuration files. */
final class Expressions {

    private Expressions() {}

    /**
     * Returns a text in which each expression is replaced by the value of its property, or by its default.
     *
     * @throws NoSuchElementException if a property without a default is not set
     */
    static String resolved(String text) {
        return Expression.compile(text, Expression.Flag.LENIENT_SYNTAX, Expression.Flag.NO_TRIM)
                .evaluate((context, result) -> {
                    String property = context.getKey();
                    String value = ConfigProvider.getConfig()
                            .getOptionalValue(property, String.class)
                            .orElse(null);
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
