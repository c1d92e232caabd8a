package dev.holdfast;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.BaseStream;

/**
 * The calls that the simulator has to control: those that read a clock, sleep, start a thread or draw a random number. A call on an object that the
 * code received (a {@code RandomGenerator}, an {@code Executor}) is not one of them.
 */
final class Surroundings {

    private static final String CONSTRUCTOR = "<init>";

    /** The names of the calls, by their owner or a supertype of the owner. An empty list stands for every name. */
    private static final Map<Class<?>, Set<String>> CALLS = Map.ofEntries(
            Map.entry(System.class, Set.of("nanoTime", "currentTimeMillis")),
            Map.entry(Clock.class, Set.of("systemUTC", "systemDefaultZone", "system")),
            Map.entry(Date.class, Set.of(CONSTRUCTOR)),
            Map.entry(Calendar.class, Set.of("getInstance")),
            Map.entry(Thread.class, Set.of(CONSTRUCTOR, "sleep", "startVirtualThread", "ofVirtual", "ofPlatform")),
            Map.entry(TimeUnit.class, Set.of("sleep", "timedJoin", "timedWait")),
            Map.entry(LockSupport.class, Set.of("parkNanos", "parkUntil")),
            Map.entry(Timer.class, Set.of(CONSTRUCTOR)),
            Map.entry(Executors.class, Set.of()),
            Map.entry(ThreadPoolExecutor.class, Set.of(CONSTRUCTOR)),
            Map.entry(ForkJoinPool.class, Set.of(CONSTRUCTOR, "commonPool")),
            Map.entry(Collection.class, Set.of("parallelStream")),
            Map.entry(BaseStream.class, Set.of("parallel")),
            Map.entry(CompletableFuture.class, Set.of("delayedExecutor", "orTimeout", "completeOnTimeout")),
            Map.entry(Random.class, Set.of(CONSTRUCTOR, "getInstance", "getInstanceStrong")),
            Map.entry(SplittableRandom.class, Set.of(CONSTRUCTOR)),
            Map.entry(ThreadLocalRandom.class, Set.of("current")),
            Map.entry(RandomGenerator.class, Set.of("of", "getDefault")),
            Map.entry(RandomGeneratorFactory.class, Set.of()),
            Map.entry(Math.class, Set.of("random")),
            Map.entry(StrictMath.class, Set.of("random")),
            Map.entry(UUID.class, Set.of("randomUUID")));

    private Surroundings() {}

    static DescribedPredicate<JavaAccess<?>> reachedBy() {
        return DescribedPredicate.describe(
                "reads a clock, sleeps, starts a thread or draws a random number",
                access -> access.getTarget() instanceof CodeUnitAccessTarget target && reaches(target));
    }

    private static boolean reaches(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        List<JavaClass> parameters = target.getRawParameterTypes();
        return CALLS.entrySet().stream()
                        .filter(call -> owner.isAssignableTo(call.getKey()))
                        .anyMatch(call ->
                                call.getValue().isEmpty() || call.getValue().contains(target.getName()))
                || isAsyncOnTheCommonPool(owner, target.getName(), parameters)
                || isNow(owner, target.getName(), parameters)
                || (owner.isEquivalentTo(Collections.class)
                        && target.getName().equals("shuffle")
                        && parameters.size() == 1);
    }

    private static boolean isAsyncOnTheCommonPool(JavaClass owner, String name, List<JavaClass> parameters) {
        return owner.isAssignableTo(CompletionStage.class)
                && name.endsWith("Async")
                && parameters.stream().noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
    }

    private static boolean isNow(JavaClass owner, String name, List<JavaClass> parameters) {
        return owner.getPackageName().startsWith("java.time")
                && name.equals("now")
                && parameters.stream().noneMatch(parameter -> parameter.isEquivalentTo(Clock.class));
    }
}
