package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Lease;
import dev.holdfast.spring.LockedMethodException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** What a method must not be, since a proxy would not see its calls, or would do something else than its annotation says. */
final class MethodTraps {

    private final String annotation;
    private final Method method;

    MethodTraps(String annotation, Method method) {
        this.annotation = annotation;
        this.method = method;
    }

    /** Refuses what no annotation of ours works with. */
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
        if (Modifier.isFinal(targetClass.getModifiers()) && targetClass.getInterfaces().length == 0) {
            throw unseen("is in a final class");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class)) {
            throw problem(
                    "is @Async too, so it has not run yet when its caller goes on, and whoever calls it can't be told that it was not locked",
                    "Have the @Async method call a locked one of another bean");
        }
    }

    private LockedMethodException unseen(String what) {
        return problem(
                what + ", so Spring's proxies do not see its calls, and it would run without a lock",
                "Make it a public method that can be overridden, called from another bean");
    }

    /** Refuses a result that would be used after the method has returned, and none of those that can be waited for. */
    void checkResult(ResultKind kind) {
        if (kind == ResultKind.UNKNOWN) {
            throw problem(
                    "gives a " + method.getReturnType().getName()
                            + ", or is suspended, so its work goes on after it has returned, and it can't be told here when that ends",
                    "Give a Mono, a Flux, a CompletableFuture, or a result that is there on return");
        }
    }

    /** Refuses a result for which there is no "nothing". */
    void checkSkippable(ResultKind kind, String when) {
        if (kind == ResultKind.PRIMITIVE) {
            throw problem(
                    "gives a primitive " + method.getReturnType().getName() + ", but " + when + " there is no result",
                    "Give an object, which may be null, or an Optional");
        }
    }

    /** Which parameter is the lease; -1 for none. */
    int leaseParameter() {
        long leases = Arrays.stream(method.getParameterTypes())
                .filter(type -> type == Lease.class)
                .count();
        if (leases > 1) {
            throw problem("has " + leases + " parameters of type Lease, but there is one lease", "Leave one");
        }
        return Arrays.asList(method.getParameterTypes()).indexOf(Lease.class);
    }

    LockedMethodException problem(String what, String remedy) {
        return new LockedMethodException(annotation, method, what, remedy + ".", null);
    }

    LockedMethodException problem(String what, String remedy, Throwable cause) {
        return new LockedMethodException(annotation, method, what, remedy + ".", cause);
    }
}
