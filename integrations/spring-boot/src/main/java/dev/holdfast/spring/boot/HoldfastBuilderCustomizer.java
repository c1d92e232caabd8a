package dev.holdfast.spring.boot;

import dev.holdfast.HoldfastBuilder;

/**
 * A customizer of the client's builder for settings that no property covers. It runs after all properties have been applied; several beans run in
 * bean order.
 */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {

    void customize(HoldfastBuilder builder);
}
