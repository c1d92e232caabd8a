package dev.holdfast.spring.aspect;

import dev.holdfast.locked.KeyText;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/**
 * The types of the parts of a key, as far as declarations show them: of arguments, of their properties and methods, and of concatenations of these. This class finds names
 * that do not exist, and types that no key may have.
 */
final class KeyTypes {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Properties PROPERTIES = new Properties();
    private static final ResolvableType ROOT = ResolvableType.forClass(LockKey.Root.class);

    private final Method method;
    private final Class<?> targetClass;
    private final DeclaredKeys texts;
    private final @Nullable BeanFactory beans;

    KeyTypes(Method method, Class<?> targetClass, DeclaredKeys texts, @Nullable BeanFactory beans) {
        this.method = method;
        this.targetClass = targetClass;
        this.texts = texts;
        this.beans = beans;
    }

    /**
     * A part of an expression.
     *
     * @param owner the type of the object to which the part belongs; null if it is known only at a call
     */
    private record Part(@Nullable ResolvableType owner, SpelNode node) {}

    /** Returns a name in the expression that does not exist, as the end of a sentence that begins with the key; null if none is known. */
    @Nullable
    String unknownNameIn(SpelNode expression) {
        return first(expression, this::unknownName);
    }

    private @Nullable String first(SpelNode expression, Function<Part, Optional<String>> problem) {
        List<Part> parts = new ArrayList<>();
        collect(ROOT, expression, parts);
        return parts.stream()
                .flatMap(part -> problem.apply(part).stream())
                .findFirst()
                .orElse(null);
    }

    private void collect(@Nullable ResolvableType owner, SpelNode node, List<Part> parts) {
        if (node instanceof Projection || node instanceof Selection || node instanceof Indexer) {
            return; // names in them belong to elements, whose types are known only at the call
        }
        parts.add(new Part(owner, node));
        boolean isPath = node instanceof CompoundExpression;
        ResolvableType type = null;
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            collect(isPath && i > 0 ? type : ROOT, child, parts);
            type = i == 0 ? typeOf(child) : next(type, child);
        }
    }

    private Optional<String> unknownName(Part part) {
        if (part.node() instanceof VariableReference variable) {
            return Optional.ofNullable(unknownVariable(variable.toStringAST().substring(1)));
        }
        if (part.node() instanceof BeanReference bean) {
            String name = bean.toStringAST().replaceFirst("^@", "").replace("'", "");
            return beans == null || beans.containsBean(name)
                    ? Optional.empty()
                    : Optional.of("has the bean '" + name + "', which does not exist");
        }
        ResolvableType owner = part.owner();
        if (owner == null || isOpen(owner.toClass())) {
            return Optional.empty();
        }
        if (part.node() instanceof PropertyOrFieldReference property) {
            return unknownProperty(owner, property.getName());
        }
        return part.node() instanceof MethodReference call
                        && methods(owner, call).isEmpty()
                ? Optional.of("has the call '" + call.toStringAST() + "', but " + textOf(owner) + " has no such method")
                : Optional.empty();
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

    private Optional<String> unknownProperty(ResolvableType owner, String name) {
        if (property(owner, name) != null) {
            return Optional.empty();
        }
        return Optional.of(
                owner.toClass() == LockKey.Root.class && parameter(name) != null
                        ? "must name the parameter '" + name + "' as #" + name
                        : "has the property '" + name + "', which " + textOf(owner) + " does not have");
    }

    private static boolean isOpen(Class<?> type) {
        return type == Object.class || type == Optional.class || type.isArray();
    }

    private static String textOf(ResolvableType owner) {
        return owner.toClass() == LockKey.Root.class ? "#root" : owner.toClass().getTypeName();
    }

    /** Returns the public methods that a call may mean, as far as its name and the number of its arguments show. */
    private static List<Method> methods(ResolvableType owner, MethodReference call) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(owner.toClass());
        Method[] ofObject = type.isInterface() ? Object.class.getMethods() : new Method[0];
        return Stream.of(type.getMethods(), ofObject)
                .flatMap(Stream::of)
                .filter(method -> !method.isBridge() && method.getName().equals(call.getName()))
                .filter(method -> method.isVarArgs()
                        ? call.getChildCount() >= method.getParameterCount() - 1
                        : call.getChildCount() == method.getParameterCount())
                .toList();
    }

    /** Returns the problem that the hash code of an object in the expression has; null if none is known. */
    @Nullable
    String unstableHashIn(SpelNode expression) {
        return first(expression, part -> {
            boolean isHash = part.node() instanceof MethodReference call
                    && call.getName().equals("hashCode")
                    && call.getChildCount() == 0;
            ResolvableType owner = part.owner();
            return owner != null && isHash && !KeyText.hasStableHash(owner.toClass())
                    ? Optional.of(KeyText.unstableHash(textOf(owner)))
                    : Optional.empty();
        });
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
            return name.equals("root") ? ROOT : parameter(name);
        }
        if (node instanceof PropertyOrFieldReference || node instanceof MethodReference) {
            return next(ROOT, node);
        }
        if (node instanceof StringLiteral) {
            return ResolvableType.forClass(String.class);
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
        if (owner != null && node instanceof PropertyOrFieldReference property) {
            return property(owner, property.getName());
        }
        return owner != null && node instanceof MethodReference call ? result(owner, call) : null;
    }

    /** Returns the type of a call's result; null if methods with several types may be meant. */
    private static @Nullable ResolvableType result(ResolvableType owner, MethodReference call) {
        List<ResolvableType> types = methods(owner, call).stream()
                .map(method -> returned(owner, method))
                .toList();
        return types.stream().map(ResolvableType::toClass).distinct().count() == 1 ? types.get(0) : null;
    }

    /** Returns the type of a method's result, with the type arguments of the object that it is called on. */
    private static ResolvableType returned(ResolvableType owner, Method method) {
        return ResolvableType.forType(method.getGenericReturnType(), owner.as(method.getDeclaringClass()));
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
                return returned(owner, getter);
            }
            Field field = findField(name, type, false);
            return field == null ? null : ResolvableType.forField(field, owner);
        }
    }
}
