package dev.holdfast.spring.test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Sets {@code holdfast.nodes} in the contexts of tests with {@link ApplicationNodes}. Only Spring's test support loads it. */
final class ApplicationNodesFactory implements ContextCustomizerFactory {

    private static final String PROPERTY = "holdfast.nodes";

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        Class<?> outermost = testClass;
        Field found = null;
        for (Class<?> outer = testClass; outer != null; outer = outer.getEnclosingClass()) {
            outermost = outer;
            found = found == null ? field(outer) : found;
        }
        return found == null ? null : new Addresses(supplier(found), outermost);
    }

    private static @Nullable Field field(Class<?> testClass) {
        for (Class<?> type = testClass; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.isAnnotationPresent(ApplicationNodes.class)) {
                    return field;
                }
            }
        }
        return null;
    }

    private static Supplier<?> supplier(Field field) {
        try {
            if (Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                if (field.get(null) instanceof Supplier<?> supplier) {
                    return supplier;
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("@ApplicationNodes can't read " + field, e);
        }
        throw new IllegalStateException("@ApplicationNodes is on " + field
                + ", but must be on a static field that has LockNodes, or another Supplier of addresses");
    }

    /**
     * The addresses of the nodes. Spring reuses a context for tests with equal customizers.
     *
     * @param outermost the test class, without the nesting
     */
    private record Addresses(Supplier<?> supplier, Class<?> outermost) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            Object supplied = supplier.get();
            if (!(supplied instanceof Collection<?> addresses) || addresses.isEmpty()) {
                throw new IllegalStateException(
                        "@ApplicationNodes needs a collection of addresses, but the field supplies " + supplied);
            }
            String text = addresses.stream().map(String::valueOf).collect(Collectors.joining(","));
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("nodes of the test", Map.of(PROPERTY, text)));
        }
    }
}
