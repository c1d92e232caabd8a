package dev.holdfast;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static dev.holdfast.HouseModule.BENCHMARKS;
import static dev.holdfast.HouseModule.CDI;
import static dev.holdfast.HouseModule.CLI;
import static dev.holdfast.HouseModule.CLUSTER;
import static dev.holdfast.HouseModule.CORE;
import static dev.holdfast.HouseModule.EXAMPLES;
import static dev.holdfast.HouseModule.JUNIT;
import static dev.holdfast.HouseModule.KOTLIN;
import static dev.holdfast.HouseModule.LOCKED;
import static dev.holdfast.HouseModule.MICROMETER;
import static dev.holdfast.HouseModule.POSTGRESQL;
import static dev.holdfast.HouseModule.QUARKUS;
import static dev.holdfast.HouseModule.QUARKUS_DEPLOYMENT;
import static dev.holdfast.HouseModule.QUARKUS_SAMPLE;
import static dev.holdfast.HouseModule.REDIS;
import static dev.holdfast.HouseModule.REDIS_PROCESS;
import static dev.holdfast.HouseModule.REPORT;
import static dev.holdfast.HouseModule.SAMPLE;
import static dev.holdfast.HouseModule.SERVER;
import static dev.holdfast.HouseModule.SERVER_CLIENT;
import static dev.holdfast.HouseModule.SIMULATOR;
import static dev.holdfast.HouseModule.SPRING;
import static dev.holdfast.HouseModule.SPRING_BOOT_3;
import static dev.holdfast.HouseModule.TESTKIT;
import static dev.holdfast.HouseModule.TORTURE;
import static dev.holdfast.HouseModule.allBut;
import static dev.holdfast.HouseModule.classesOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The project's rules that a machine can check, applied to the main code of every module. */
class ArchitectureTest {

    /** The packages of core, each of which may use only those before it. */
    private static final List<String> CORE_ORDER = List.of(
            "dev.holdfast.time",
            "dev.holdfast.internal.time",
            "dev.holdfast.lock",
            "dev.holdfast.fence",
            "dev.holdfast.node",
            "dev.holdfast.observe",
            "dev.holdfast.internal.observe",
            "dev.holdfast.internal.thread",
            "dev.holdfast.recipe",
            "dev.holdfast.election",
            "dev.holdfast.internal.recipe",
            "dev.holdfast.internal.election",
            "dev.holdfast.internal.node",
            "dev.holdfast.internal.report",
            "dev.holdfast.internal.owner",
            "dev.holdfast.internal.quorum",
            "dev.holdfast.internal.survey",
            "dev.holdfast.internal.lease",
            "dev.holdfast");

    /** Types of the API that mention the SPI on purpose, because a program passes nodes to a client through them. */
    private static final Set<String> MEETS_THE_SPI = Set.of("dev.holdfast.HoldfastBuilder");

    /**
     * The packages that may use clocks, threads and randomness: the one that the simulator replaces, and those that run real processes or measure
     * real time.
     */
    private static final String[] MAY_REACH_OUT = {
        "dev.holdfast.time..",
        "dev.holdfast.redis.process..",
        "dev.holdfast.testkit.redis..",
        "dev.holdfast.testkit.postgresql..",
        "dev.holdfast.torture..",
        "dev.holdfast.benchmarks.."
    };

    /** Classes outside those packages that may do so too, each with the reason why it must. */
    private static final Map<String, String> MAY_REACH_OUT_BECAUSE = Map.of(
            "dev.holdfast.simulator.Schedule", "makes all chance of a simulation, from its seed",
            "dev.holdfast.testkit.Stalls$Watch", "measures how long the machine itself keeps a thread waiting",
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
    void thePackagesOfCorePointOneWay() {
        assertThat(classesOf(CORE).stream().map(JavaClass::getPackageName).distinct())
                .as("packages of core, all of which have a place in the order")
                .hasSameElementsAs(CORE_ORDER);
        for (int i = 0; i < CORE_ORDER.size() - 1; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(CORE_ORDER.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            CORE_ORDER.subList(i + 1, CORE_ORDER.size()).toArray(String[]::new))
                    .check(classesOf(CORE));
        }
    }

    @Test
    void noPackagesFormACircle() {
        for (HouseModule module : HouseModule.values()) {
            noCircles(module.toString(), module::holds).check(classesOf(module));
        }
    }

    /** The JDK has such a circle: {@code java.util} uses {@code java.util.function}, which uses {@code java.util.Objects}. */
    @Test
    void theRuleOnCirclesSeesOne() {
        JavaClasses circle = new ClassFileImporter().importClasses(Objects.class, Supplier.class, Function.class);

        assertThatThrownBy(() -> noCircles("the JDK", javaClass -> true).check(circle))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("java.util.function");
    }

    /** Each package is a slice of its own, including the root package of the module. */
    private static ArchRule noCircles(String where, Predicate<JavaClass> holds) {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        return holds.test(javaClass)
                                ? SliceIdentifier.of(javaClass.getPackageName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + where;
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    @Test
    void theValuesOfTheApiAreALeaf() {
        noClasses()
                .that()
                .resideInAPackage("dev.holdfast.lock")
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are of Holdfast, but neither values of the API nor the text of durations",
                        javaClass -> CORE.holds(javaClass.getBaseComponentType())
                                && !javaClass
                                        .getBaseComponentType()
                                        .getPackageName()
                                        .equals("dev.holdfast.lock")
                                && !javaClass.getPackageName().equals("dev.holdfast.internal.time")))
                .check(classesOf(CORE));
    }

    /** Users can do everything that recipes and elections do. They share with the locks only the way in which threads block and are interrupted. */
    @Test
    void recipesAndElectionsAreMadeOfLocks() {
        for (String made : List.of("recipe", "election")) {
            classes()
                    .that()
                    .resideInAnyPackage("dev.holdfast." + made, "dev.holdfast.internal." + made)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "java..",
                            "org.jspecify.annotations..",
                            "dev.holdfast.lock",
                            "dev.holdfast.time",
                            "dev.holdfast.internal.thread",
                            "dev.holdfast.internal.time",
                            "dev.holdfast." + made,
                            "dev.holdfast.internal." + made)
                    .check(classesOf(CORE));
        }
    }

    @Test
    void noSignatureOfTheApiShowsInternals() {
        assertThat(signatures().filter(one -> one.mentions("dev.holdfast.internal")))
                .as("public members of the API and the SPI that mention internal types")
                .isEmpty();
        assertThat(signatures()
                        .filter(one -> !one.owner().getPackageName().equals("dev.holdfast.node"))
                        .filter(one -> !MEETS_THE_SPI.contains(one.owner().getName()))
                        .filter(one -> one.mentions("dev.holdfast.node")))
                .as("public members of the API that mention requests or answers of nodes")
                .isEmpty();
        assertThat(signatures()
                        .filter(one -> !one.owner().getPackageName().equals("dev.holdfast.node"))
                        .filter(one -> one.mentions("dev.holdfast.node"))
                        .map(one -> one.owner().getName()))
                .as("listed exceptions that still are some")
                .containsAll(MEETS_THE_SPI);
    }

    /** A number that stands for "none" is sooner or later mistaken for a value; a null duration is not. */
    @Test
    void theApiTellsTimeAsDurations() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage("dev.holdfast", "dev.holdfast.lock", "dev.holdfast.recipe", "dev.holdfast.election")
                .and()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should()
                .haveNameMatching(".*(Millis|Nanos|Micros)")
                .check(classesOf(CORE));
    }

    /** A public or protected member of a public type outside {@code dev.holdfast.internal}. */
    private record Signature(JavaMember member) {

        JavaClass owner() {
            return member.getOwner();
        }

        boolean mentions(String packageName) {
            Stream<JavaType> types = member instanceof JavaCodeUnit code
                    ? Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
                    : Stream.of(((JavaField) member).getType());
            return types.flatMap(type -> type.getAllInvolvedRawTypes().stream())
                    .map(type -> type.getBaseComponentType().getPackageName())
                    .anyMatch(name -> name.equals(packageName) || name.startsWith(packageName + "."));
        }

        @Override
        public String toString() {
            return member.getFullName();
        }
    }

    private static Stream<Signature> signatures() {
        return classesOf(CORE).stream()
                .filter(javaClass -> !javaClass.getPackageName().startsWith("dev.holdfast.internal"))
                .filter(ArchitectureTest::isPublic)
                .flatMap(javaClass -> javaClass.getMembers().stream())
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                .map(Signature::new);
    }

    private static boolean isPublic(JavaClass javaClass) {
        return javaClass.getModifiers().contains(JavaModifier.PUBLIC)
                && javaClass.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    @Test
    void modulesPointOneWay() {
        mayUse(CORE);
        mayUse(REDIS_PROCESS);
        mayUse(TESTKIT, REDIS_PROCESS);
        mayUse(SIMULATOR, TESTKIT);
        mayUse(REDIS);
        mayUse(SERVER_CLIENT);
        mayUse(POSTGRESQL);
        mayUse(CLUSTER);
        mayUse(MICROMETER);
        mayUse(JUNIT, TESTKIT, REDIS_PROCESS); // users use it only in tests
        mayUse(KOTLIN);
        mayUse(LOCKED);
        mayUse(SPRING, LOCKED, MICROMETER, POSTGRESQL);
        mayUse(CDI, LOCKED);
        mayUse(QUARKUS, CDI, LOCKED, MICROMETER);
        mayUse(QUARKUS_DEPLOYMENT, QUARKUS, CDI, LOCKED, REDIS_PROCESS);
        mayUse(QUARKUS_SAMPLE, QUARKUS, CDI);
        mayUse(SERVER, SERVER_CLIENT, CLUSTER);
        mayUse(REPORT, REDIS_PROCESS);
        mayUse(TORTURE, REDIS, REDIS_PROCESS, TESTKIT, REPORT);
        mayUse(BENCHMARKS, REDIS, REDIS_PROCESS, SERVER_CLIENT, SERVER, TESTKIT, REPORT);
        mayUse(CLI, REDIS, REDIS_PROCESS, SERVER_CLIENT, POSTGRESQL, CLUSTER, SERVER);
        mayUse(EXAMPLES, REDIS, SERVER_CLIENT, POSTGRESQL);
        mayUse(SAMPLE, REDIS, REDIS_PROCESS, SERVER, SPRING, MICROMETER);
    }

    /** Declares which modules a module may use, besides core, which every module may use. */
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
    void onlyTheRedisModuleKnowsItsDriver() { // examples are users' code, which may use Redis for its own purposes
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..", "reactor..")
                .check(allBut(REDIS, CLUSTER, SPRING, TORTURE, BENCHMARKS, EXAMPLES));
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "reactor..") // its engine's traffic also runs on Netty
                .check(classesOf(CLUSTER));
    }

    /** Clients and single servers do not load the engine of the cluster: only one class of the server uses the cluster at all. */
    @Test
    void onlyTheClusterKnowsItsEngine() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.alipay..", "org.rocksdb..")
                .check(allBut(CLUSTER));
        noClasses()
                .that()
                .haveNameNotMatching(".*[.]ClusterMember([$].*)?")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.holdfast.cluster.ClusterServer")
                .check(classesOf(SERVER, CLI));
    }

    @Test
    void onlyTheServerKnowsItsWebServer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.eclipse.jetty..")
                .check(allBut(SERVER));
    }

    @Test
    void onlyTheFourThatSpeakToMicrometerKnowIt() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..")
                .check(allBut(MICROMETER, SPRING, QUARKUS, SERVER));
    }

    @Test
    void onlyTheSpringModuleKnowsSpring() { // benchmarks compare its locks, and the sample uses it
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..")
                .check(allBut(SPRING, SPRING_BOOT_3, BENCHMARKS, SAMPLE));
    }

    @Test
    void onlyTheQuarkusModulesKnowQuarkus() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "io.smallrye..", "jakarta.enterprise..", "jakarta.interceptor..")
                .check(allBut(CDI, QUARKUS, QUARKUS_DEPLOYMENT, QUARKUS_SAMPLE));
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are of Quarkus or its libraries, except expressions",
                        javaClass -> Stream.of("io.quarkus.", "io.smallrye.", "io.vertx.", "org.jboss.logging.")
                                        .anyMatch(javaClass.getPackageName()::startsWith)
                                && !javaClass.getPackageName().equals("io.smallrye.common.expression")))
                .check(classesOf(CDI));
    }

    @Test
    void aModuleKeepsToPackagesOfItsOwn() {
        for (HouseModule module : HouseModule.values()) {
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

    /** A name with {@code is} or {@code has} asks a question, so a caller expects an answer. */
    @Test
    void aQuestionHasAnAnswer() {
        questionsHaveAnswers().check(classesOf(HouseModule.values()));
        assertThatThrownBy(() -> questionsHaveAnswers().check(new ClassFileImporter().importClasses(AsksNothing.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("(2 times)");
    }

    private static ArchRule questionsHaveAnswers() {
        return noMethods()
                .that()
                .haveRawReturnType(void.class)
                .should()
                .haveNameMatching("(is|has)[A-Z].*")
                .because("a verb says what a method without a result does");
    }

    /** Two methods that the rule must find, and two that it must not. */
    @SuppressWarnings("all")
    private static final class AsksNothing {
        void isOver() {}

        void hasEnded(String lock) {}

        boolean isDue() {
            return true;
        }

        void issue() {}
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

    /** A rule that finds nothing may not work, so this test shows it every kind of violation that it must find. */
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
