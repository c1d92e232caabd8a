package dev.holdfast.spring.boot;

import dev.holdfast.HoldfastBuilder;

/** Changes the builder of an application's client after all properties have been applied, for what no property can say. Beans of this kind are asked in order. */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {

    void customize(HoldfastBuilder builder);
}
