package dev.holdfast.cdi;

import dev.holdfast.HoldfastBuilder;

/** A change of the application's client that no property covers. Beans of this type are called after the properties were applied. */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {

    /** Changes the builder, before the client is created. */
    void customize(HoldfastBuilder builder);
}
