package dev.holdfast.spring.aspect;

import dev.holdfast.locked.KeyText;
import dev.holdfast.spring.LockedMethodException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The key of a call, a SpEL expression over its arguments. Thread-safe. */
final class LockKey {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final Class<?> targetClass;
    private final MethodTraps traps;
    private final SpelExpression expression;
    private final @Nullable BeanFactory beans;
    private final Supplier<DeclaredKeys> texts;

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

    LockKey(
            String text,
            Method method,
            Class<?> targetClass,
            MethodTraps traps,
            @Nullable BeanFactory beans,
            Supplier<DeclaredKeys> texts) {
        this.method = method;
        this.targetClass = targetClass;
        this.traps = traps;
        this.beans = beans;
        this.texts = texts;
        try {
            this.expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw traps.problem(
                    "has the key '" + text + "', which is not a SpEL expression: " + e.getMessage(),
                    "Use an expression over the arguments, such as #id",
                    e);
        }
    }

    /** Rejects names that do not exist, and declared types that no key may have. Spring has created the converters by then. */
    void check() {
        KeyTypes types = new KeyTypes(method, targetClass, texts.get(), beans);
        String unknown = types.unknownNameIn(expression.getAST());
        if (unknown != null) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which " + unknown,
                    "Correct it; parameter names need javac's -parameters, #a0 always works");
        }
        refuse(types.unstableHashIn(expression.getAST()));
        refuse(types.problemOf(expression.getAST()));
    }

    private void refuse(@Nullable String problem) {
        if (problem != null) {
            throw undefined(new KeyText.UndefinedTextException(problem));
        }
    }

    private LockedMethodException undefined(KeyText.UndefinedTextException e) {
        return traps.problem(
                "has the key '" + expression.getExpressionString() + "', which " + e.getMessage()
                        + ", so each call could have its own lock",
                "Use a value with a defined text, such as #order.id, or register a LockKeyConverter",
                e);
    }

    /** Returns the key of this call, which is never empty. */
    String of(@Nullable Object target, @Nullable Object[] args) {
        Object key = value(target, args);
        if (key == null) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which is null for this call",
                    "Use a value that is never null; parameter names need javac's -parameters, #a0 always works");
        }
        String text = text(key);
        if (text.isEmpty()) {
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which is empty for this call",
                    "Use a value that is never empty");
        }
        return text;
    }

    private String text(Object key) {
        try {
            return texts.get().of(key);
        } catch (KeyText.UndefinedTextException e) {
            throw undefined(e);
        }
    }

    @SuppressWarnings("NullAway") // an argument may be null, but the context's class file does not declare that
    private @Nullable Object value(@Nullable Object target, @Nullable Object[] args) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(new Root(method, shown(args), target), method, args, NAMES);
        if (beans != null) {
            context.setBeanResolver(new BeanFactoryResolver(beans));
        }
        context.setTypeConverter(new Parts(texts.get(), context.getTypeConverter()));
        try {
            return expression.getValue(context);
        } catch (KeyText.UndefinedTextException e) {
            throw undefined(e);
        } catch (EvaluationException e) {
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
            if (cause instanceof KeyText.UndefinedTextException undefined) {
                throw undefined(undefined);
            }
            String reason = cause.getMessage();
            throw traps.problem(
                    "has the key '" + expression.getExpressionString() + "', which fails for this call: "
                            + (reason == null ? cause : reason),
                    "Use an expression that works for all arguments",
                    e);
        }
    }

    /** Returns the arguments that the source of a call shows. */
    @SuppressWarnings("NullAway") // as above
    private @Nullable Object[] shown(@Nullable Object[] args) {
        int count = ResultKind.parameterCount(method);
        return args.length == count ? args : Arrays.copyOf(args, count);
    }

    /** The conversion of the parts of a concatenation, whose texts follow the same rules. */
    private static final class Parts implements TypeConverter {

        private final DeclaredKeys texts;
        private final TypeConverter others;

        Parts(DeclaredKeys texts, TypeConverter others) {
            this.texts = texts;
            this.others = others;
        }

        @Override
        public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
            return target.getType() == String.class || others.canConvert(source, target);
        }

        @Override
        public @Nullable Object convertValue(
                @Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
            return target.getType() == String.class ? texts.of(value) : others.convertValue(value, source, target);
        }
    }
}
