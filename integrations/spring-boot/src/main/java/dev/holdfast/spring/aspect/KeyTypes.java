package dev.holdfast.spring.aspect;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ReflectionUtils;

/** The types of the parts of a key, as far as declarations show them: of arguments, of their properties, and of sums of both. */
final class KeyTypes {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final Class<?> targetClass;

    KeyTypes(Method method, Class<?> targetClass) {
        this.method = method;
        this.targetClass = targetClass;
    }

    /** Returns the problem that a part of the key has for all arguments; null if none is known. */
    @Nullable
    String problemOf(SpelNode node) {
        ResolvableType type = typeOf(node);
        if (type != null) {
            return KeyText.problemOf(type);
        }
        for (int i = 0; node instanceof OpPlus && i < node.getChildCount(); i++) {
            ResolvableType part = typeOf(node.getChild(i));
            boolean isConverted = part != null && part.isArray(); // SpEL converts an array to the text of its elements
            String problem = isConverted ? null : problemOf(node.getChild(i));
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** Returns the declared type of a node; null if it is known only at a call. */
    private @Nullable ResolvableType typeOf(SpelNode node) {
        if (node instanceof VariableReference variable) {
            return parameter(variable.toStringAST().substring(1));
        }
        if (!(node instanceof CompoundExpression)) {
            return null;
        }
        ResolvableType type = typeOf(node.getChild(0));
        for (int i = 1; type != null && i < node.getChildCount(); i++) {
            type = node.getChild(i) instanceof PropertyOrFieldReference property
                    ? property(type, property.getName())
                    : null;
        }
        return type;
    }

    private @Nullable ResolvableType parameter(String name) {
        String[] names = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            boolean isMeant = name.equals("a" + i) || name.equals("p" + i);
            if (isMeant || (names != null && name.equals(names[i]))) {
                return ResolvableType.forMethodParameter(method, i, targetClass);
            }
        }
        return null;
    }

    /** Returns the type of a property, found in the order in which SpEL looks for it. A record's accessor has the property's name. */
    private static @Nullable ResolvableType property(ResolvableType owner, String name) {
        Class<?> type = owner.toClass();
        PropertyDescriptor descriptor = BeanUtils.getPropertyDescriptor(type, name);
        Method getter = descriptor == null ? null : descriptor.getReadMethod();
        if (getter == null && type.isRecord()) {
            getter = ReflectionUtils.findMethod(type, name);
        }
        if (getter != null) {
            return ResolvableType.forMethodReturnType(getter, type);
        }
        Field field = ReflectionUtils.findField(type, name);
        return field == null ? null : ResolvableType.forField(field, owner);
    }
}
