package dev.holdfast.testkit;

import dev.holdfast.node.NodeProvider;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The kind of node for which a {@link LockNodeContract} is run. A test of the testkit fails if a kind that
 * {@code META-INF/services} names has no contract.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ContractOf {

    /** Returns the provider that opens such nodes. */
    Class<? extends NodeProvider> value();
}
