package dev.holdfast;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.holdfast.HouseModule.BENCHMARKS;
import static dev.holdfast.HouseModule.CLI;
import static dev.holdfast.HouseModule.CORE;
import static dev.holdfast.HouseModule.EXAMPLES;
import static dev.holdfast.HouseModule.JUNIT;
import static dev.holdfast.HouseModule.MICROMETER;
import static dev.holdfast.HouseModule.REDIS;
import static dev.holdfast.HouseModule.REDIS_PROCESS;
import static dev.holdfast.HouseModule.REPORT;
import static dev.holdfast.HouseModule.SAMPLE;
import static dev.holdfast.HouseModule.SERVER;
import static dev.holdfast.HouseModule.SERVER_CLIENT;
import static dev.holdfast.HouseModule.SIMULATOR;
import static dev.holdfast.HouseModule.SPRING;
import static dev.holdfast.HouseModule.TESTKIT;
import static dev.holdfast.HouseModule.TORTURE;
import static dev.holdfast.HouseModule.classesOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the house that a machine can check, over the main code of every module. */
class ArchitectureTest {

    /** The parts of core that run the protocol: each may use those before it, and none after it. */
    private static final List<String> CORE_ORDER = List.of(
            "dev.holdfast.time..",
            "dev.holdfast.node..",
            "dev.holdfast.observe..",
            "dev.holdfast.internal.quorum..",
            "dev.holdfast.internal.lease..",
            "dev.holdfast.recipe..",
            "dev.holdfast.election..");

    /** The places that may: the one that the simulator replaces, and those that run real processes or measure real time. */
    private static final String[] MAY_REACH_OUT = {
        "dev.holdfast.time..",
        "dev.holdfast.redis.process..",
        "dev.holdfast.testkit.redis..",
        "dev.holdfast.torture..",
        "dev.holdfast.benchmarks.."
    };

    /** Classes outside those places that may reach out all the same, each with the reason why it must. */
    private static final Map<String, String> MAY_REACH_OUT_BECAUSE = Map.of(
            "dev.holdfast.simulator.Schedule", "makes all chance of a simulation, from its seed",
            "dev.holdfast.testkit.Stalls", "measures how long the machine itself keeps a thread waiting",
            "dev.holdfast.sample.stage.Sample", "ends what it has started in a shutdown hook, which is a thread");

    private static final Pattern EMPTY_WORD =
            Pattern.compile("(^|.*[a-z0-9])(Common|Commons|Util|Utils|Impl|Base|Manager)([A-Z0-9].*)?");
    private static final Pattern EMPTY_PACKAGE =
            Pattern.compile("(.*\\.)?(commons?|utils?|utilit(y|ies)|impl|base|managers?)(\\..*)?");

    @Test
    void coreStandsOnTheJdkAndJSpecifyOnly() {
        DescribedPredicate<JavaClass> jdkOrJSpecify = JavaClass.Predicates.resideInAnyPackage(
                "java..", "javax.net..", "javax.security..", "javax.sql..", "jdk.jfr..", "org.jspecify.annotations..");

        classes()
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe("are of core, the JDK or JSpecify", javaClass -> {
                    JavaClass element = javaClass.getBaseComponentType();
                    return CORE.holds(element) || element.isPrimitive() || jdkOrJSpecify.test(element);
                }))
                .check(classesOf(CORE));
    }

    @Test
    void coreLogsThroughSystemLoggerOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..")
                .check(classesOf(CORE));
    }

    @Test
    void theProtocolPointsOneWay() {
        for (int i = 0; i < CORE_ORDER.size() - 1; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(CORE_ORDER.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            CORE_ORDER.subList(i + 1, CORE_ORDER.size()).toArray(String[]::new))
                    .allowEmptyShould(true)
                    .check(classesOf(CORE));
        }
    }

    @Test
    void modulesPointOneWay() {
        mayUse(CORE);
        mayUse(REDIS_PROCESS);
        mayUse(TESTKIT, REDIS_PROCESS);
        mayUse(SIMULATOR, TESTKIT);
        mayUse(REDIS);
        mayUse(SERVER_CLIENT);
        mayUse(MICROMETER);
        mayUse(JUNIT, TESTKIT, REDIS_PROCESS); // users have it in tests only
        mayUse(SPRING, MICROMETER);
        mayUse(SERVER, SERVER_CLIENT);
        mayUse(REPORT, REDIS_PROCESS);
        mayUse(TORTURE, REDIS, REDIS_PROCESS, TESTKIT, REPORT);
        mayUse(BENCHMARKS, REDIS, REDIS_PROCESS, SERVER_CLIENT, SERVER, TESTKIT, REPORT);
        mayUse(CLI, REDIS, REDIS_PROCESS, SERVER_CLIENT, SERVER);
        mayUse(EXAMPLES, REDIS, SERVER_CLIENT);
        mayUse(SAMPLE, REDIS, REDIS_PROCESS, SERVER, SPRING, MICROMETER);
    }

    @Test
    void packagesOfLargeModulesAreFreeOfCycles() {
        List.of(REDIS, SERVER, CLI).forEach(ArchitectureTest::packagesAreFreeOfCycles);
    }

    /** Every package is a slice of its own, the root package too. */
    private static void packagesAreFreeOfCycles(HouseModule module) {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public String getDescription() {
                        return "packages of " + module;
                    }

                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        return module.holds(javaClass)
                                ? SliceIdentifier.of(javaClass.getPackageName())
                                : SliceIdentifier.ignore();
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(classesOf(module));
    }

    /** Besides core, which all may. */
    private static void mayUse(HouseModule module, HouseModule... others) {
        Set<HouseModule> allowed = EnumSet.of(CORE, module);
        allowed.addAll(List.of(others));
        mustNotUse(module, EnumSet.complementOf(EnumSet.copyOf(allowed)).toArray(HouseModule[]::new));
    }

    private static void mustNotUse(HouseModule module, HouseModule... others) {
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "lie in " + List.of(others),
                        javaClass -> Stream.of(others).anyMatch(other -> other.holds(javaClass))))
                .check(classesOf(module));
    }

    @Test
    void onlyTheRedisModuleKnowsItsDriver() { // examples are users' code, which may speak to Redis for reasons of
        // its own
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..", "reactor..")
                .check(classesOf(CORE, REDIS_PROCESS, TESTKIT, SIMULATOR, SERVER_CLIENT, SERVER, REPORT, CLI, SAMPLE));
    }

    @Test
    void onlyTheServerKnowsItsWebServer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..")
                .check(classesOf(
                        CORE,
                        REDIS_PROCESS,
                        TESTKIT,
                        SIMULATOR,
                        REDIS,
                        SERVER_CLIENT,
                        SPRING,
                        REPORT,
                        TORTURE,
                        BENCHMARKS,
                        CLI,
                        EXAMPLES,
                        SAMPLE));
    }

    @Test
    void onlyTheTwoThatSpeakToMicrometerKnowIt() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..")
                .check(classesOf(
                        CORE,
                        REDIS_PROCESS,
                        TESTKIT,
                        SIMULATOR,
                        REDIS,
                        SERVER_CLIENT,
                        SERVER,
                        REPORT,
                        TORTURE,
                        BENCHMARKS,
                        CLI,
                        EXAMPLES));
    }

    @Test
    void onlyTheSpringModuleKnowsSpring() { // the benchmarks measure its locks beside ours, the sample is an
        // application on it
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..")
                .check(classesOf(
                        CORE,
                        REDIS_PROCESS,
                        TESTKIT,
                        SIMULATOR,
                        REDIS,
                        SERVER_CLIENT,
                        SERVER,
                        REPORT,
                        TORTURE,
                        CLI,
                        EXAMPLES));
    }

    @Test
    void aModuleKeepsToPackagesOfItsOwn() {
        for (HouseModule module : List.of(
                REDIS_PROCESS,
                TESTKIT,
                SIMULATOR,
                MICROMETER,
                JUNIT,
                REDIS,
                SERVER_CLIENT,
                SERVER,
                SPRING,
                REPORT,
                TORTURE,
                BENCHMARKS,
                CLI,
                EXAMPLES,
                SAMPLE)) {
            classes().should().resideInAPackage(module.root + "..").check(classesOf(module));
        }
    }

    @Test
    void nobodyElseReadsAClockSleepsStartsAThreadOrDrawsARandomNumber() {
        onlyTheFewReachOut().check(classesOf(HouseModule.values()));
    }

    private static ArchRule onlyTheFewReachOut() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(MAY_REACH_OUT)
                .and(DescribedPredicate.describe(
                        "are no listed exception",
                        javaClass -> !MAY_REACH_OUT_BECAUSE.containsKey(javaClass.getName())))
                .should()
                .accessTargetWhere(Surroundings.reachedBy())
                .because(
                        "the simulator owns time, threads and chance: take a Ticker, a Scheduler or a RandomGenerator");
    }

    @Test
    void theListedExceptionsStillExist() {
        assertThat(classesOf(HouseModule.values()).stream().map(JavaClass::getName))
                .containsAll(MAY_REACH_OUT_BECAUSE.keySet());
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses()
                .should(be(DescribedPredicate.describe(
                        "named common, util, impl, base or manager", ArchitectureTest::saysNothing)))
                .check(classesOf(HouseModule.values()));
    }

    private static boolean saysNothing(JavaClass javaClass) {
        return EMPTY_WORD.matcher(javaClass.getSimpleName()).matches()
                || EMPTY_PACKAGE.matcher(javaClass.getPackageName()).matches();
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(classesOf(HouseModule.values()).stream()
                        .map(JavaClass::getPackage)
                        .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
                        .map(JavaPackage::getName)
                        .distinct())
                .as("packages without @NullMarked")
                .isEmpty();
    }

    /** A rule that finds nothing to blame may be blind, so this one is shown every kind of thing it must see. */
    @Test
    void theRuleOnReachingOutSeesEveryKind() {
        long methods = Stream.of(ReachesOut.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .count();

        assertThatThrownBy(() -> onlyTheFewReachOut().check(new ClassFileImporter().importClasses(ReachesOut.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("(" + methods + " times)");
        onlyTheFewReachOut().check(new ClassFileImporter().importClasses(UsesWhatItWasGiven.class));
    }

    /** One forbidden call to a method. */
    @SuppressWarnings("all")
    private static final class ReachesOut {
        long nano() {
            return System.nanoTime();
        }

        LongSupplier reference() {
            return System::currentTimeMillis;
        }

        Instant now() {
            return Instant.now();
        }

        void sleep() throws InterruptedException {
            Thread.sleep(1);
        }

        void unitSleep() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }

        Thread thread() {
            return new Thread();
        }

        Object executor() {
            return Executors.newCachedThreadPool();
        }

        Random random() {
            return new Random();
        }

        Random secureRandom() {
            return new SecureRandom();
        }

        Random threadLocalRandom() {
            return ThreadLocalRandom.current();
        }

        double mathRandom() {
            return Math.random();
        }

        UUID uuid() {
            return UUID.randomUUID();
        }

        Object supplyOnTheCommonPool() {
            return CompletableFuture.supplyAsync(() -> "");
        }

        Object continueOnTheCommonPool(CompletionStage<String> stage) {
            return stage.thenApplyAsync(String::length);
        }

        Object delayed() {
            return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
        }

        Object timeout(CompletableFuture<String> future) {
            return future.orTimeout(1, TimeUnit.SECONDS);
        }

        Object defaultOnTimeout(CompletableFuture<String> future) {
            return future.completeOnTimeout("", 1, TimeUnit.SECONDS);
        }
    }

    @SuppressWarnings("all")
    private static final class UsesWhatItWasGiven {
        Object stage(CompletionStage<String> stage, Executor executor) {
            return stage.thenApplyAsync(String::length, executor).thenApply(length -> length + 1);
        }

        long chance(RandomGenerator random) {
            return random.nextLong();
        }

        Instant now(Clock clock) {
            return Instant.now(clock);
        }
    }
}
