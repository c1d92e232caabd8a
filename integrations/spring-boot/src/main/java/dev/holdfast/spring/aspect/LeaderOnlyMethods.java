package dev.holdfast.spring.aspect;

import dev.holdfast.spring.LeaderOnly;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** The {@link LeaderOnly} methods of beans. Each is read once. Thread-safe. */
public final class LeaderOnlyMethods {

    private static final String ANNOTATION = "LeaderOnly";

    private final Map<AnnotatedElementKey, LeaderOnlyMethod> methods = new ConcurrentHashMap<>();
    private final LockedMethods texts;

    /**
     * The settings of one method.
     *
     * @param election the name of the election
     * @param result the kind of the method's result
     */
    record LeaderOnlyMethod(String election, ResultKind result) {}

    public LeaderOnlyMethods(LockedMethods texts) {
        this.texts = texts;
    }

    /** Reads and checks the methods of a class that have the annotation, or all public methods if the class has it. */
    Map<Method, LeaderOnlyMethod> of(Class<?> targetClass) {
        if (!AnnotationUtils.isCandidateClass(targetClass, LeaderOnly.class)) {
            return Map.of();
        }
        boolean all = AnnotatedElementUtils.hasAnnotation(targetClass, LeaderOnly.class);
        MethodTraps.checkInterfaces(ANNOTATION, targetClass, method -> isMeant(method, all));
        return MethodIntrospector.selectMethods(targetClass, (MethodIntrospector.MetadataLookup<LeaderOnlyMethod>)
                method -> isMeant(method, all) ? of(method, targetClass) : null);
    }

    private static boolean isMeant(Method method, boolean all) {
        return AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class)
                || (all
                        && Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && !ReflectionUtils.isObjectMethod(method));
    }

    /** Returns whether the annotation applies to the method. A proxy also intercepts methods that are not public, to which an annotation of the class does not. */
    boolean has(Method method, Class<?> targetClass) {
        return methods.containsKey(new AnnotatedElementKey(method, targetClass))
                || isMeant(method, AnnotatedElementUtils.hasAnnotation(targetClass, LeaderOnly.class));
    }

    LeaderOnlyMethod of(Method method, Class<?> targetClass) {
        return methods.computeIfAbsent(new AnnotatedElementKey(method, targetClass), key -> read(method, targetClass));
    }

    private static @Nullable LeaderOnly find(Method method, Class<?> targetClass) {
        LeaderOnly own = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
        return own != null ? own : AnnotatedElementUtils.findMergedAnnotation(targetClass, LeaderOnly.class);
    }

    private LeaderOnlyMethod read(Method method, Class<?> targetClass) {
        LeaderOnly leaderOnly = Objects.requireNonNull(find(method, targetClass));
        MethodTraps traps = new MethodTraps(ANNOTATION, method);
        traps.check(targetClass);
        if (AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class)) {
            traps.checkCaller(targetClass);
        }
        ResultKind result = ResultKind.of(method, targetClass);
        if (!result.isThereOnReturn()) {
            throw traps.problem(
                    (result == ResultKind.SUSPENDED
                                    ? "is a suspend function"
                                    : "returns a "
                                            + ResultKind.typeOf(method, targetClass)
                                                    .getSimpleName())
                            + ", whose work continues after it has returned, when another instance may lead",
                    "Return a result that is complete on return");
        }
        traps.checkSkippable(result, targetClass, "while another instance leads");
        String name = texts.resolved(traps, "value", leaderOnly.value());
        if (name.isBlank()) {
            throw traps.problem("has no election", "Name the election, as in @LeaderOnly(\"reports\")");
        }
        return new LeaderOnlyMethod(name, result);
    }
}
