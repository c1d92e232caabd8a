package dev.holdfast.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The nodes of the application under test: {@code holdfast.nodes} has their addresses. It is for a static field of a test class with {@code @SpringBootTest},
 * or of a class that this one extends or is nested in. The field's type is {@code LockNodes} of the module {@code holdfast-junit}, or another {@link
 * java.util.function.Supplier} of a collection of addresses.
 *
 * <pre>{@code
 * @ApplicationNodes
 * @RegisterExtension
 * static final LockNodes NODES = LockNodes.redis(3);
 * }</pre>
 *
 * <p>Spring asks for the addresses when it creates the application context. A class and the classes that are nested in it share the context, and no other
 * class does, since the nodes may have new addresses for each class.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface ApplicationNodes {}
