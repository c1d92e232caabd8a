package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.OnBusy;
import dev.holdfast.cdi.OnLost;
import dev.holdfast.cdi.runtime.KeyPath;
import dev.holdfast.cdi.runtime.LockSettings;
import dev.holdfast.cdi.runtime.LockedMethodData;
import dev.holdfast.cdi.runtime.MethodShape;
import dev.holdfast.cdi.runtime.ResultKind;
import dev.holdfast.cdi.runtime.TimeSettings;
import dev.holdfast.lock.LockMode;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;

/** The reader of the annotations of locked methods. It rejects methods that could not keep their promise. */
public final class LockedMethodReader {

    private final TypeTree types;
    private final KeyTypes keyTypes;
    private final Container container;

    public LockedMethodReader(TypeTree types, KeyTypes keyTypes, Container container) {
        this.types = types;
        this.keyTypes = keyTypes;
        this.container = container;
    }

    /**
     * Rejects the annotation on a class, except on the interceptor itself.
     *
     * @throws LockedMethodException for any other class
     */
    public static void rejectClass(AnnotationInstance annotation, ClassInfo target) {
        if (!target.hasDeclaredAnnotation(Names.INTERCEPTOR)) {
            throw Problem.of(
                    "@" + annotation.name().withoutPackagePrefix() + " class "
                            + target.name().withoutPackagePrefix(),
                    "would have one lock for all its methods",
                    "Put the annotation on the methods that need it");
        }
    }

    /**
     * Reads one annotation of a method.
     *
     * @throws LockedMethodException if the method could not keep the promise of the annotation
     */
    public LockedMethodData read(AnnotationInstance annotation, MethodInfo method) {
        String subject = Problem.subject(annotation, method);
        boolean isJob = annotation.name().equals(Names.LOCKED_JOB);
        rejectUnseen(subject, method);
        Names.CALLBACKS.stream().filter(method::hasDeclaredAnnotation).forEach(callback -> {
            throw Problem.of(
                    subject,
                    "is @" + callback.withoutPackagePrefix() + " too, so " + container.name()
                            + " calls it without interceptors, and it would run without a lock",
                    "Let it call a locked method of another bean, or acquire the lock within it");
        });
        if (isJob && method.hasDeclaredAnnotation(Names.LOCKED)) {
            throw Problem.of(subject, "is @Locked too", "Keep one of the annotations");
        }
        if (text(annotation, "name").isBlank() && text(annotation, "value").isBlank()) {
            throw Problem.of(
                    subject,
                    "has no name",
                    "Name the lock, as in @" + annotation.name().withoutPackagePrefix() + "(name = \"orders\")");
        }
        ResultKind result = ResultKinds.of(method, types, container);
        LockSettings settings = settings(annotation, method, subject, isJob);
        rejectResult(subject, method, result, settings);
        return new LockedMethodData(
                new MethodShape(idOf(method), subject, leaseParameter(subject, method), result),
                settings,
                times(annotation, method, subject, settings));
    }

    private void rejectUnseen(String subject, MethodInfo method) {
        String what = null;
        if (Modifier.isPrivate(method.flags())) {
            what = "is private";
        } else if (Modifier.isStatic(method.flags())) {
            what = "is static";
        } else if (method.isAbstract() || method.declaringClass().isInterface()) {
            what = "is abstract or in an interface";
        } else if (!container.interceptsFinal() && Modifier.isFinal(method.flags())) {
            what = "is final";
        } else if (!container.interceptsFinal()
                && Modifier.isFinal(method.declaringClass().flags())) {
            what = "is in a final class";
        } else {
            Set<DotName> beans = container.beans().apply(method.declaringClass().name());
            String own = method.declaringClass().name().packagePrefix();
            boolean isPackagePrivate = (method.flags() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
            if (beans.isEmpty()) {
                what = "is in a class that is not a bean";
            } else if (isPackagePrivate
                    && beans.stream().anyMatch(bean -> !bean.packagePrefix().equals(own))) {
                what = "is package-private, and a bean inherits it in another package";
            }
        }
        if (what != null) {
            throw Problem.of(
                    subject,
                    what + ", so " + container.name()
                            + " does not intercept its calls, and it would run without a lock",
                    "Make it a method of a bean that is not private or static"
                            + (container.interceptsFinal() ? "" : " or final")
                            + "; a class with a scope, such as @ApplicationScoped, is a bean");
        }
    }

    private void rejectResult(String subject, MethodInfo method, ResultKind result, LockSettings settings) {
        DotName type = method.returnType().name();
        if (result == ResultKind.UNKNOWN) {
            throw Problem.of(
                    subject,
                    "returns a " + type
                            + ", or is suspended, so its work may run after it has returned, and its end cannot be observed",
                    "Return " + (container.hasUni() ? "a Uni, " : "")
                            + "a CompletableFuture, or a result that is complete on return");
        }
        if (result == ResultKind.PRIMITIVE && settings.onBusy() == OnBusy.SKIP) {
            throw Problem.of(
                    subject,
                    "returns a primitive " + type + ", but when it is skipped there is no result",
                    "Return an object, which may be null, or an Optional");
        }
        if (settings.reentrant() && !result.isThereOnReturn()) {
            throw Problem.of(
                    subject,
                    "is reentrant, but returns a " + type.withoutPackagePrefix()
                            + ", which may complete after the outer call has released the lock",
                    "Return a result that is complete on return, or leave reentrant at false");
        }
    }

    private LockSettings settings(AnnotationInstance annotation, MethodInfo method, String subject, boolean isJob) {
        String name = text(annotation, "name").isBlank() ? text(annotation, "value") : text(annotation, "name");
        if (isJob) {
            return new LockSettings(name, List.of(), LockMode.EX, OnBusy.SKIP, OnLost.INTERRUPT, false);
        }
        KeyPaths paths = new KeyPaths(subject, method, types, keyTypes);
        AnnotationValue key = annotation.value("key");
        List<KeyPath> keys = key == null
                ? List.of()
                : Stream.of(key.asStringArray())
                        .filter(path -> !path.isBlank())
                        .map(paths::resolve)
                        .toList();
        AnnotationValue reentrant = annotation.value("reentrant");
        return new LockSettings(
                name,
                keys,
                constant(annotation, "mode", LockMode.EX),
                constant(annotation, "onBusy", OnBusy.WAIT),
                constant(annotation, "onLost", OnLost.INTERRUPT),
                reentrant != null && reentrant.asBoolean());
    }

    private static TimeSettings times(
            AnnotationInstance annotation, MethodInfo method, String subject, LockSettings settings) {
        boolean isJob = annotation.name().equals(Names.LOCKED_JOB);
        Schedules schedules = new Schedules(subject, method);
        String atLeast = text(annotation, "atLeast");
        if (isJob && atLeast.isBlank()) {
            schedules.requireAtLeast();
        }
        schedules.check(settings.onBusy(), isJob || !atLeast.isBlank());
        return new TimeSettings(
                text(annotation, "waitFor"),
                text(annotation, "ttl"),
                text(annotation, isJob ? "atMost" : "maxHold"),
                atLeast,
                isJob,
                schedules.settings());
    }

    private static Optional<Integer> leaseParameter(String subject, MethodInfo method) {
        List<Integer> leases = IntStream.range(0, method.parametersCount())
                .filter(i -> method.parameterType(i).name().equals(Names.LEASE))
                .boxed()
                .toList();
        if (leases.size() > 1) {
            throw Problem.of(
                    subject, "has " + leases.size() + " parameters of type Lease, but may have only one", "Keep one");
        }
        return leases.stream().findFirst();
    }

    /** Returns the text by which {@link MethodShape} finds a method. */
    private static String idOf(MethodInfo method) {
        return method.declaringClass().name() + "#" + method.name()
                + method.parameterTypes().stream()
                        .map(type -> type.name().toString())
                        .collect(Collectors.joining(",", "(", ")"));
    }

    private static String text(AnnotationInstance annotation, String attribute) {
        AnnotationValue value = annotation.value(attribute);
        return value == null ? "" : value.asString();
    }

    private static <E extends Enum<E>> E constant(AnnotationInstance annotation, String attribute, E fallback) {
        AnnotationValue value = annotation.value(attribute);
        return value == null ? fallback : Enum.valueOf(fallback.getDeclaringClass(), value.asEnum());
    }
}
