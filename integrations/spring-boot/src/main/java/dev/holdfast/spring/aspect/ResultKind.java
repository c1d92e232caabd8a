package dev.holdfast.spring.aspect;

import dev.holdfast.locked.DeferredResults;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** The kinds of a method's result: when it is complete, and what a skipped call returns. */
enum ResultKind {
    /** A result that is complete when the method returns. */
    PLAIN,
    /** A result like {@link #PLAIN}, but an {@code Optional}, which is empty if the call is skipped. */
    OPTIONAL,
    /** A number or a boolean: a result that a skipped call cannot omit. */
    PRIMITIVE,
    /** A result that is complete when its stage completes. */
    STAGE,
    /** A result that is complete when its subscription has ended. */
    MONO,
    /** A result like {@link #MONO}, with more than one value. */
    FLUX,
    /** The result of a Kotlin function that suspends. It is complete when the function's coroutine has ended. */
    SUSPENDED,
    /** A result that stands for work whose end cannot be observed here. */
    UNKNOWN;

    private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";
    private static final String COROUTINE = "kotlin.coroutines.Continuation";

    /** Returns the kind of the result that the method has in a class, which may bind type variables of the class that declares the method. */
    static ResultKind of(Method method, Class<?> targetClass) {
        Class<?> type = typeOf(method, targetClass);
        if (isSuspended(method)) {
            ResultKind kind = ofOther(type);
            return kind == PLAIN || kind == OPTIONAL ? SUSPENDED : UNKNOWN;
        }
        return switch (type.getName()) {
            case "void", "java.lang.Void" -> PLAIN;
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux" -> FLUX;
            default -> isDeferred(bodyOf(method, targetClass)) ? UNKNOWN : ofOther(type);
        };
    }

    /** Returns the type of the body of a response that the method returns; {@code Object} for any other result. */
    private static Class<?> bodyOf(Method method, Class<?> targetClass) {
        ResolvableType result = resultOf(method, targetClass);
        return isA(result.toClass(), HTTP_ENTITY) ? result.getGeneric(0).resolve(Object.class) : Object.class;
    }

    private static boolean isDeferred(Class<?> type) {
        return DeferredResults.isFunction(type.getName())
                || DeferredResults.TYPES.stream().anyMatch(other -> isA(type, other));
    }

    private static ResultKind ofOther(Class<?> type) {
        if (type.isPrimitive()) {
            return PRIMITIVE;
        }
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return STAGE;
        }
        return isDeferred(type) ? UNKNOWN : PLAIN;
    }

    /** Returns whether this is a Kotlin function that suspends: its last parameter, which the source does not show, is the coroutine to resume. */
    static boolean isSuspended(Method method) {
        int last = method.getParameterCount() - 1;
        return last >= 0 && method.getParameterTypes()[last].getName().equals(COROUTINE);
    }

    /** Returns how many parameters the source of the method shows. */
    static int parameterCount(Method method) {
        return method.getParameterCount() - (isSuspended(method) ? 1 : 0);
    }

    /** Returns the type of the result that the source of the method shows. */
    static Class<?> typeOf(Method method, Class<?> targetClass) {
        return resultOf(method, targetClass).resolve(Object.class);
    }

    /** Returns the result that the source of the method shows, with its type arguments. */
    static ResolvableType resultOf(Method method, Class<?> targetClass) {
        return isSuspended(method)
                ? ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, targetClass)
                        .getGeneric(0)
                : ResolvableType.forMethodReturnType(method, targetClass);
    }

    private static boolean isA(@Nullable Class<?> type, String name) {
        return type != null
                && (type.getName().equals(name)
                        || isA(type.getSuperclass(), name)
                        || Arrays.stream(type.getInterfaces()).anyMatch(other -> isA(other, name)));
    }

    /** Returns whether the result is complete when the method returns. */
    boolean isThereOnReturn() {
        return this == PLAIN || this == OPTIONAL || this == PRIMITIVE;
    }

    /** Returns the result of a skipped call, for the kinds that do not need Reactor. */
    @Nullable
    Object skipped() {
        return switch (this) {
            case OPTIONAL -> Optional.empty();
            case STAGE -> CompletableFuture.completedFuture(null);
            case PLAIN -> null;
            case PRIMITIVE, MONO, FLUX, SUSPENDED, UNKNOWN ->
                throw new IllegalStateException("no result for a skipped " + this);
        };
    }
}
