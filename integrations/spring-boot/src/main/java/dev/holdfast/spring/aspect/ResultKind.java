package dev.holdfast.spring.aspect;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

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
    /** A result whose completion cannot be observed here. */
    UNKNOWN;

    private static final String PUBLISHER = "org.reactivestreams.Publisher";
    private static final List<String> OTHERS = List.of(
            PUBLISHER,
            "java.util.concurrent.Flow$Publisher",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "kotlinx.coroutines.flow.Flow",
            "io.smallrye.mutiny.Uni",
            "io.smallrye.mutiny.Multi");
    private static final String COROUTINE = "kotlin.coroutines.Continuation";

    static ResultKind of(Method method) {
        Class<?> type = method.getReturnType();
        if (isSuspended(method)) {
            return UNKNOWN;
        }
        return switch (type.getName()) {
            case "void", "java.lang.Void" -> PLAIN;
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux" -> FLUX;
            default -> ofOther(type);
        };
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
        boolean later = Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || BaseStream.class.isAssignableFrom(type)
                || OTHERS.stream().anyMatch(other -> isA(type, other));
        return later ? UNKNOWN : PLAIN;
    }

    private static boolean isSuspended(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(parameter -> parameter.getName().equals(COROUTINE));
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
            case PRIMITIVE, MONO, FLUX, UNKNOWN -> throw new IllegalStateException("no result for a skipped " + this);
        };
    }
}
