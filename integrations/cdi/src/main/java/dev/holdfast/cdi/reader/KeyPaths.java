package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.runtime.KeyPath;
import dev.holdfast.locked.KeyText;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.FieldInfo;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** The paths of keys, resolved to accessors of the declared types. */
final class KeyPaths {

    private final String subject;
    private final MethodInfo method;
    private final TypeTree types;
    private final KeyTypes keyTypes;

    KeyPaths(String subject, MethodInfo method, TypeTree types, KeyTypes keyTypes) {
        this.subject = subject;
        this.method = method;
        this.types = types;
        this.keyTypes = keyTypes;
    }

    /** An accessor and the type of its value. */
    private record Property(KeyPath.Step step, Type type) {}

    KeyPath resolve(String text) {
        String[] names = text.strip().split("\\.", -1);
        int parameter = parameter(text, names[0]);
        Type type = method.parameterType(parameter);
        List<KeyPath.Step> steps = new ArrayList<>();
        for (int i = 1; i < names.length; i++) {
            Property property = property(type, names[i]);
            if (property == null) {
                throw Problem.of(
                        subject,
                        "has the key '" + text + "', which has the property '" + names[i] + "', which "
                                + TypeTree.nameOf(TypeTree.bound(type)) + " does not have",
                        "Correct it; a property is a record component, a getter without parameters, or a public field");
            }
            if (property.step().member().equals("hashCode")
                    && !property.step().isField()
                    && !keyTypes.isHashStable(type)) {
                throw undefined(text, KeyText.unstableHash(TypeTree.nameOf(TypeTree.bound(type))));
            }
            steps.add(property.step());
            type = property.type();
        }
        String problem = keyTypes.problemOf(type);
        if (problem != null) {
            throw undefined(text, problem);
        }
        return new KeyPath(text, parameter, steps);
    }

    private LockedMethodException undefined(String text, String problem) {
        return Problem.of(
                subject,
                "has the key '" + text + "', which " + problem + ", so each call could have its own lock",
                "Use a value with a defined text, such as order.id, or a LockKeyConverter bean");
    }

    private int parameter(String text, String name) {
        for (int i = 0; i < method.parametersCount(); i++) {
            if (name.equals(method.parameterName(i))) {
                return i;
            }
        }
        boolean isNamed = method.parametersCount() == 0 || method.parameterName(0) != null;
        if (!isNamed) {
            throw Problem.of(
                    subject,
                    "has the key '" + text + "', but its class was compiled without the names of parameters",
                    "Compile it with -parameters");
        }
        throw Problem.of(
                subject,
                "has the key '" + text + "', but no parameter '" + name + "'",
                "Use a parameter, or a property of one, such as id or order.id");
    }

    private @Nullable Property property(Type owner, String name) {
        String suffix = name.isEmpty() ? "" : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        List<String> getters = List.of("get" + suffix, "is" + suffix, name);
        for (ClassInfo type : types.selfAndSupertypes(TypeTree.bound(owner).name())) {
            for (String getter : getters) {
                MethodInfo found = type.method(getter);
                if (found != null && isReadable(found)) {
                    return new Property(step(type, getter, false), types.seenFrom(owner, type, found.returnType()));
                }
            }
            FieldInfo field = type.field(name);
            if (field != null && Modifier.isPublic(field.flags()) && !Modifier.isStatic(field.flags())) {
                return new Property(step(type, name, true), types.seenFrom(owner, type, field.type()));
            }
        }
        return null;
    }

    private static boolean isReadable(MethodInfo method) {
        return Stream.of(Modifier.PRIVATE, Modifier.STATIC).noneMatch(flag -> (method.flags() & flag) != 0)
                && method.returnType().kind() != Type.Kind.VOID;
    }

    private static KeyPath.Step step(ClassInfo owner, String member, boolean isField) {
        return new KeyPath.Step(owner.name().toString(), member, isField);
    }
}
