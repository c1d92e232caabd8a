package dev.holdfast.spring.aspect;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The key of a call, a SpEL expression over its arguments. Thread-safe. */
final class LockKey {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final MethodTraps traps;
    private final SpelExpression expression;
    private final @Nullable BeanFactoryResolver beans;

    /**
     * The root object of an expression.
     *
     * @param method the called method
     * @param args the arguments
     * @param target the object on which the method is called
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Root(
            Method method,
            @Nullable Object[] args,
            @Nullable Object target) {}

    LockKey(String text, Method method, Class<?> targetClass, MethodTraps traps, @Nullable BeanFactoryResolver beans) {
        this.method = method;
        this.traps = traps;
        this.beans = beans;
        try {
            this.expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw traps.problem(
                    "has the key '" + text + "', which is not a SpEL expression: " + e.getMessage(),
                    "Use an expression over the arguments, such as #id",
                    e);
        }
        refuse(new KeyTypes(method, targetClass).problemOf(expression.getAST()));
    }

    private void refuse(@Nullable String problem) {
        if (problem != null) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which " + problem
                            + ", so each call could have its own lock",
                    "Use a value that equal calls share, such as #order.id");
        }
    }

    /** Returns the key of this call, which is never empty. */
    String of(@Nullable Object target, @Nullable Object[] args) {
        Object key = value(target, args);
        if (key == null) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which is null for this call",
                    "Use a value that is never null; parameter names need javac's -parameters, #a0 always works");
        }
        String text = key.toString();
        if (text.isEmpty()) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which is empty for this call",
                    "Use a value that is never empty");
        }
        refuse(KeyText.problemOf(key, text));
        return text;
    }

    @SuppressWarnings("NullAway") // an argument may be null, but the context's class file does not declare that
    private @Nullable Object value(@Nullable Object target, @Nullable Object[] args) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(new Root(method, args, target), method, args, NAMES);
        if (beans != null) {
            context.setBeanResolver(beans);
        }
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which fails for this call: "
                            + e.getMessage(),
                    "Use an expression that works for all arguments",
                    e);
        }
    }
}
