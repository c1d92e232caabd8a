package dev.holdfast.spring.aspect;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * The types of the parts of a key, as far as declarations show them: of arguments, of their properties, and of concatenations of both. This class finds names
 * that do not exist, and types that no key may have.
 */
final class KeyTypes {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Properties PROPERTIES = new Properties();

    private final Method method;
    private final Class<?> targetClass;
    private final DeclaredKeys texts;

    KeyTypes(Method method, Class<?> targetClass, DeclaredKeys texts) {
        this.method = method;
        this.targetClass = targetClass;
        this.texts = texts;
    }

    /** Returns a name in the expression that does not exist, as the end of a sentence that begins with the key; null if none is known. */
    @Nullable
    String unknownNameIn(SpelNode node) {
        if (node instanceof VariableReference variable) {
            return unknownVariable(variable.toStringAST().substring(1));
        }
        if (node instanceof PropertyOrFieldReference property) { // of the root object
            return unknownProperty(ResolvableType.forClass(LockKey.Root.class), property);
        }
        if (node instanceof Projection || node instanceof Selection || node instanceof Indexer) {
            return null; // names in them belong to elements, whose types are known only at the call
        }
        ResolvableType type = null;
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            boolean isPartOfPath = node instanceof CompoundExpression && i > 0;
            String unknown = isPartOfPath && child instanceof PropertyOrFieldReference property
                    ? (type == null ? null : unknownProperty(type, property))
                    : unknownNameIn(child);
            if (unknown != null) {
                return unknown;
            }
            if (node instanceof CompoundExpression) {
                type = i == 0 ? typeOf(child) : next(type, child);
            }
        }
        return null;
    }

    private @Nullable String unknownVariable(String name) {
        boolean isKnown = name.equals("root") || name.equals("this") || parameter(name) != null;
        if (isKnown) {
            return null;
        }
        return NAMES.getParameterNames(method) == null
                ? "has the variable #" + name + ", but the class was compiled without the names of parameters"
                : "has the variable #" + name + ", which is no parameter of the method";
    }

    private static @Nullable String unknownProperty(ResolvableType owner, PropertyOrFieldReference property) {
        Class<?> type = owner.toClass();
        boolean isOpen = type == Object.class || type == Optional.class || type.isArray();
        return isOpen || property(owner, property.getName()) != null
                ? null
                : "has the property '" + property.getName() + "', which "
                        + owner.toClass().getTypeName() + " does not have";
    }

    /** Returns the problem that a part of the key has for all arguments; null if none is known. */
    @Nullable
    String problemOf(SpelNode node) {
        ResolvableType type = typeOf(node);
        if (type != null) {
            return texts.problemOf(type);
        }
        for (int i = 0; node instanceof OpPlus && i < node.getChildCount(); i++) {
            String problem = problemOf(node.getChild(i));
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** Returns the declared type of a node; null if it is known only at a call. */
    private @Nullable ResolvableType typeOf(SpelNode node) {
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            return name.equals("root") ? ResolvableType.forClass(LockKey.Root.class) : parameter(name);
        }
        if (node instanceof PropertyOrFieldReference property) {
            return property(ResolvableType.forClass(LockKey.Root.class), property.getName());
        }
        if (!(node instanceof CompoundExpression)) {
            return null;
        }
        ResolvableType type = typeOf(node.getChild(0));
        for (int i = 1; type != null && i < node.getChildCount(); i++) {
            type = next(type, node.getChild(i));
        }
        return type;
    }

    private static @Nullable ResolvableType next(@Nullable ResolvableType owner, SpelNode node) {
        return owner != null && node instanceof PropertyOrFieldReference property
                ? property(owner, property.getName())
                : null;
    }

    private @Nullable ResolvableType parameter(String name) {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        for (int i = 0; i < ResultKind.parameterCount(method); i++) {
            boolean isMeant = name.equals("a" + i) || name.equals("p" + i);
            if (isMeant || (names != null && i < names.length && name.equals(names[i]))) {
                return ResolvableType.forMethodParameter(method, i, targetClass);
            }
        }
        return null;
    }

    /** Returns the type of a property as SpEL finds it: of a public getter, of a record's accessor, or of a public field. */
    private static @Nullable ResolvableType property(ResolvableType owner, String name) {
        return PROPERTIES.find(owner, name);
    }

    /** SpEL's own search for properties. */
    private static final class Properties extends ReflectivePropertyAccessor {

        @Nullable
        ResolvableType find(ResolvableType owner, String name) {
            Class<?> type = owner.toClass();
            Method getter = findGetterForProperty(name, type, false);
            if (getter != null) {
                return ResolvableType.forMethodReturnType(getter, type);
            }
            Field field = findField(name, type, false);
            return field == null ? null : ResolvableType.forField(field, owner);
        }
    }
}
