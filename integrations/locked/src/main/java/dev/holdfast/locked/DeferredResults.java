package dev.holdfast.locked;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The types of results that stand for work after the method has returned, when its lock is free again. They are known by name, since an application has few
 * of their libraries.
 */
public final class DeferredResults {

    /** The types whose subtypes stand for later work too. */
    public static final Set<String> TYPES = Set.of(
            "java.util.Iterator",
            "java.util.Spliterator",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
            "java.util.concurrent.Future",
            "java.util.stream.BaseStream",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.smallrye.mutiny.Multi",
            "io.smallrye.mutiny.Uni",
            "io.vertx.core.Future",
            "jakarta.ws.rs.core.StreamingOutput",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final Set<String> CALLBACKS = Set.of("java.lang.Runnable", "java.util.concurrent.Callable");

    private static final ClassValue<Boolean> DEFERRED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isLater(type);
        }
    };

    private DeferredResults() {}

    private static boolean isLater(@Nullable Class<?> type) {
        return type != null
                && (TYPES.contains(type.getName())
                        || isLater(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(DeferredResults::isLater));
    }

    /** Returns whether the result of a method, whose declared type does not show that, stands for later work. A stage does not: {@link LeasedCall} awaits its end. */
    public static boolean isDeferred(@Nullable Object result) {
        return result != null && !(result instanceof CompletionStage) && DEFERRED.get(result.getClass());
    }

    /**
     * Returns whether a type is a function: code that a caller runs. Other types may implement one and be complete all the same, as the pages of Spring Data
     * implement {@link java.util.function.Supplier}, so only the declared type itself counts.
     */
    public static boolean isFunction(String typeName) {
        return CALLBACKS.contains(typeName)
                || typeName.startsWith("java.util.function.")
                || typeName.startsWith("kotlin.jvm.functions.");
    }
}
