package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.locked.KeyText;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The key of a method's calls. Thread-safe. */
final class LockKey {

    private final MethodShape method;
    private final KeyText texts;
    private final List<Part> parts;

    private record Part(KeyPath path, List<AccessibleObject> accessors) {}

    LockKey(MethodShape method, List<KeyPath> paths, KeyText texts) {
        this.method = method;
        this.texts = texts;
        this.parts = paths.stream()
                .map(path -> new Part(
                        path, path.steps().stream().map(LockKey::accessor).toList()))
                .toList();
    }

    private static AccessibleObject accessor(KeyPath.Step step) {
        try {
            Class<?> owner =
                    Class.forName(step.owner(), false, Thread.currentThread().getContextClassLoader());
            AccessibleObject accessor =
                    step.isField() ? owner.getDeclaredField(step.member()) : owner.getDeclaredMethod(step.member());
            accessor.setAccessible(true);
            return accessor;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(step + " was there when the annotation was read", e);
        }
    }

    /** Returns the key of this call, which is never empty. */
    String of(@Nullable Object[] arguments) {
        if (parts.size() == 1) {
            return text(parts.get(0), arguments);
        }
        // Escaped, so that no two keys have the same text.
        return parts.stream()
                .map(part -> text(part, arguments).replace("\\", "\\\\").replace(":", "\\:"))
                .collect(Collectors.joining(":"));
    }

    private String text(Part part, @Nullable Object[] arguments) {
        Object value = arguments[part.path().parameter()];
        for (AccessibleObject accessor : part.accessors()) {
            value = value == null ? null : read(part, accessor, value);
        }
        if (value == null) {
            throw problem(part, "is null for this call", "Use a value that is never null", null);
        }
        String text;
        try {
            text = texts.of(value);
        } catch (KeyText.UndefinedTextException e) {
            throw problem(
                    part,
                    e.getMessage() + ", so each call could have its own lock",
                    "Use a value with a defined text, such as order.id, or a LockKeyConverter bean",
                    e);
        }
        if (text.isEmpty()) {
            throw problem(part, "is empty for this call", "Use a value that is never empty", null);
        }
        return text;
    }

    private @Nullable Object read(Part part, AccessibleObject accessor, Object value) {
        try {
            return accessor instanceof Method getter ? KeyText.read(getter, value) : ((Field) accessor).get(value);
        } catch (IllegalAccessException | RuntimeException e) {
            throw problem(part, "fails for this call: " + e, "Use a property that works for all arguments", e);
        }
    }

    private LockedMethodException problem(Part part, String what, String remedy, @Nullable Throwable cause) {
        return new LockedMethodException(
                method.text(), "has the key '" + part.path().text() + "', which " + what, remedy, cause);
    }
}
