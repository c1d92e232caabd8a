package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Lease;
import dev.holdfast.locked.DeferredResults;
import dev.holdfast.spring.LockedMethodException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** The checks of an annotated method: a proxy must see its calls, and the annotation must have the effect that it declares. */
final class MethodTraps {

    private static final Set<String> CALLBACKS = Set.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "jakarta.inject.Inject",
            "org.springframework.beans.factory.annotation.Autowired");
    private static final String COROUTINES_FOR_REACTOR = "kotlinx.coroutines.reactor.MonoKt";
    private static final String KOTLIN_REFLECTION = "kotlin.reflect.full.KCallables";

    private final String annotation;
    private final Method method;

    MethodTraps(String annotation, Method method) {
        this.annotation = annotation;
        this.method = method;
    }

    /** Rejects an annotated method of an interface if the class inherits the implementation from a class without that interface. */
    static void checkInterfaces(String annotation, Class<?> targetClass, Predicate<Method> isAnnotated) {
        for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(targetClass)) {
            for (Method declared : type.getMethods()) {
                Method run = LockedCall.method(declared, targetClass);
                if (isAnnotated.test(declared) && !isAnnotated.test(run)) {
                    throw new MethodTraps(annotation, declared)
                            .problem(
                                    "is in an interface of " + targetClass.getSimpleName()
                                            + ", which inherits its implementation from "
                                            + run.getDeclaringClass().getSimpleName()
                                            + ", so Spring does not find the annotation, and it would run without a lock",
                                    "Put the annotation on the inherited method, or override that method");
                }
            }
        }
    }

    /** Rejects a method that neither annotation can work with. */
    void check(Class<?> targetClass) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            throw unseen("is private");
        }
        if (Modifier.isStatic(modifiers)) {
            throw unseen("is static");
        }
        if (Modifier.isFinal(modifiers)) {
            throw unseen("is final");
        }
        boolean isPackagePrivate = (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        if (isPackagePrivate && !method.getDeclaringClass().getPackage().equals(targetClass.getPackage())) {
            throw unseen("is package-private, and its bean's class is in another package");
        }
        if (Modifier.isFinal(targetClass.getModifiers()) && targetClass.getInterfaces().length == 0) {
            throw unseen("is in a final class");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class)) {
            throw problem(
                    "is @Async too, so it may run after its caller continues, and the caller cannot learn that it was"
                            + " not locked",
                    "Let the @Async method call a locked method of another bean");
        }
    }

    /** Rejects a method that Spring calls on the object itself, when it creates or destroys the bean. */
    void checkCaller(Class<?> targetClass) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (CALLBACKS.stream().anyMatch(annotations::isPresent)
                || isOf(InitializingBean.class, targetClass)
                || isOf(DisposableBean.class, targetClass)) {
            throw calledBySpring();
        }
    }

    /** Returns whether the class has this interface of one method, and this is that method. */
    private boolean isOf(Class<?> callback, Class<?> targetClass) {
        return callback.isAssignableFrom(targetClass)
                && method.getParameterCount() == 0
                && method.getName().equals(callback.getMethods()[0].getName());
    }

    LockedMethodException calledBySpring() {
        return problem(
                "is called by Spring while it creates or destroys the bean, not through the bean's proxy, so it would run without a lock",
                "Let it call a locked method of another bean, or acquire the lock within it");
    }

    private LockedMethodException unseen(String what) {
        return problem(
                what + ", so Spring's proxies do not intercept its calls, and it would run without a lock",
                KotlinDetector.isKotlinType(method.getDeclaringClass())
                        ? "Declare it and its class public and open, or apply the compiler plugin kotlin-spring, and"
                                + " call it from another bean"
                        : "Make it a public method that can be overridden, called from another bean");
    }

    /** Rejects a result that is used after the method has returned, except results whose completion can be observed. */
    void checkResult(ResultKind kind, Class<?> targetClass) {
        if (kind == ResultKind.UNKNOWN) {
            throw problem(
                    "returns a " + ResultKind.resultOf(method, targetClass)
                            + ", so its work may run after it has returned, and its end cannot be observed",
                    "Return a Mono, a Flux, a CompletableFuture, or a result that is complete on return");
        }
    }

    /** Rejects a result that stands for later work, although its declared type does not show that. */
    @Nullable
    Object requireComplete(@Nullable Object result) {
        if (DeferredResults.isDeferred(result)) {
            throw problem(
                    "returned a " + Objects.requireNonNull(result).getClass().getName()
                            + ", so its work may run when the lock is free",
                    "Declare that result, as in Mono<String>, or return a CompletableFuture, or a result that is complete on return");
        }
        return result;
    }

    /** Rejects a function that suspends if Spring's proxies cannot await it. Its lock would be released when it suspends for the first time. */
    void checkSuspended(ResultKind kind, @Nullable ClassLoader loader) {
        if (kind == ResultKind.SUSPENDED
                && !(ClassUtils.isPresent(COROUTINES_FOR_REACTOR, loader)
                        && ClassUtils.isPresent(KOTLIN_REFLECTION, loader))) {
            throw problem(
                    "is a suspend function, which Spring's proxies cannot await without kotlinx-coroutines-reactor and"
                            + " kotlin-reflect",
                    "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect to"
                            + " the class path");
        }
    }

    /** Rejects a result that a skipped call cannot return: a primitive one, or one of a function that suspends and never returns null. */
    void checkSkippable(ResultKind kind, Class<?> targetClass, String when) {
        if (kind == ResultKind.SUSPENDED
                && !ResultKind.typeOf(method, targetClass).getName().equals("kotlin.Unit")
                && !new MethodParameter(method, -1).isOptional()) {
            throw problem(
                    "returns a " + ResultKind.typeOf(method, targetClass).getSimpleName()
                            + ", which is never null, but " + when + " there is no result",
                    "Let its result be nullable, or return nothing");
        }
        if (kind == ResultKind.PRIMITIVE) {
            throw problem(
                    "returns a primitive " + method.getReturnType().getName() + ", but " + when + " there is no result",
                    "Return an object, which may be null, or an Optional");
        }
    }

    /** Returns the index of the parameter that receives the lease, if there is one. */
    OptionalInt leaseParameter() {
        Class<?>[] types = method.getParameterTypes();
        int[] leases = IntStream.range(0, types.length)
                .filter(i -> types[i] == Lease.class)
                .toArray();
        if (leases.length > 1) {
            throw problem("has " + leases.length + " parameters of type Lease, but may have only one", "Keep one");
        }
        return IntStream.of(leases).findFirst();
    }

    /** Returns the annotation and the method, as the beginning of a sentence. */
    @Override
    public String toString() {
        return LockedMethodException.subject(annotation, method);
    }

    LockedMethodException problem(String what, String remedy) {
        return new LockedMethodException(annotation, method, what, remedy + ".", null);
    }

    LockedMethodException problem(String what, String remedy, Throwable cause) {
        return new LockedMethodException(annotation, method, what, remedy + ".", cause);
    }
}
