package dev.holdfast.spring.aspect;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The hints for a native image: the Lua scripts of the Redis node, and the root object of keys, which SpEL reads by reflection. The SQL of the
 * PostgreSQL node belongs to them too if that module is on the class path. Only the application knows which of its own types the keys read.
 */
final class NativeHints implements RuntimeHintsRegistrar {

    private static final String FIRST_SCHEMA = "dev/holdfast/postgresql/schema-1.sql";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("dev/holdfast/redis/script/*.lua");
        hints.resources()
                .registerPatternIfPresent(
                        loader, FIRST_SCHEMA, files -> files.includes("dev/holdfast/postgresql/schema-*.sql"));
        for (var component : LockKey.Root.class.getRecordComponents()) {
            hints.reflection().registerMethod(component.getAccessor(), ExecutableMode.INVOKE);
        }
    }
}
