package dev.holdfast.spring.aspect;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.Lease;
import dev.holdfast.spring.LeaderOnly;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.boot.Contexts;
import dev.holdfast.spring.boot.PackageWork;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/** Mistakes that make the start of an application fail, with one message that names the method. */
@ExtendWith(OutputCaptureExtension.class)
class TrapsTest {

    static class PrivateMethod {
        @Locked("x")
        private void work() {}
    }

    static class FinalMethod {
        @Locked("x")
        public final void work() {}
    }

    static class PackagePrivateMethod extends PackageWork {}

    interface Declared {
        @Locked("x")
        void work();
    }

    static class Undeclared {
        public void work() {}

        public void work(String item) {}
    }

    static class Inherited extends Undeclared implements Declared {}

    interface DeclaredForAny<T> {
        @Locked("x")
        void work(T item);
    }

    static class InheritedForText extends Undeclared implements DeclaredForAny<String> {}

    interface DeclaredForLeaders {
        @LeaderOnly("x")
        void work();
    }

    static class InheritedByLeader extends Undeclared implements DeclaredForLeaders {}

    static class InitMethod {
        @PostConstruct
        @Locked("x")
        public void work() {}
    }

    static class InjectedMethod {
        @Autowired
        @Locked("x")
        public void work(Environment environment) {}
    }

    abstract static class AnyInit {
        @PreDestroy
        public void work() {}
    }

    static class OverriddenDestroyMethod extends AnyInit {
        @Override
        @Locked("x")
        public void work() {}
    }

    static class Initializing implements InitializingBean {
        @Override
        @Locked("x")
        public void afterPropertiesSet() {}
    }

    static class LeaderInit {
        @PostConstruct
        @LeaderOnly("x")
        public void work() {}
    }

    static class StaticMethod {
        @Locked("x")
        public static void work() {}
    }

    static final class FinalClass {
        @Locked("x")
        public void work() {}
    }

    static class AsyncMethod {
        @Async
        @Locked("x")
        public void work() {}
    }

    @Async
    static class AsyncClass {
        @Locked("x")
        public void work() {}
    }

    static class Primitive {
        @Locked(name = "x", onBusy = OnBusy.SKIP)
        public int work() {
            return 1;
        }
    }

    static class OtherPublisher {
        @Locked("x")
        public @Nullable Publisher<String> work() {
            return null;
        }
    }

    static class PlainFuture {
        @Locked("x")
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class LazyStream {
        @Locked("x")
        public Stream<String> work() {
            return Stream.of();
        }
    }

    static class NoName {
        @Locked(key = "#id")
        public void work(String id) {}
    }

    static class BadName {
        @Locked("a\nb")
        public void work() {}
    }

    static class BadKey {
        @Locked(name = "x", key = "#id +")
        public void work(String id) {}
    }

    static class BadWait {
        @Locked(name = "x", waitFor = "soon")
        public void work() {}
    }

    static class NegativeWait {
        @Locked(name = "x", waitFor = "-1s")
        public void work() {}
    }

    static class ShortTtl {
        @Locked(name = "x", ttl = "10ms")
        public void work() {}
    }

    static class LongTtl {
        @Locked(name = "x", ttl = "23h")
        public void work() {}
    }

    static class LongAtLeast {
        @Locked(name = "x", atLeast = "25h")
        public void work() {}
    }

    static class UnknownPlaceholder {
        @Locked("${no.such.property}")
        public void work() {}
    }

    static class TwoLeases {
        @Locked("x")
        public void work(Lease one, Lease two) {}
    }

    static class ScheduledAndWaiting {
        @Scheduled(cron = "0 0 3 * * *")
        @Locked("x")
        public void work() {}
    }

    static class ScheduledTwiceAndWaiting {
        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "0 0 4 * * *")
        @Locked("x")
        public void work() {}
    }

    static class ScheduledWithALongWait {
        @Scheduled(cron = "0/10 * * * * *")
        @Locked(name = "x", onBusy = OnBusy.SKIP, waitFor = "8s", atLeast = "2s")
        public void work() {}
    }

    static class ScheduledWithAWaitAlone {
        @Scheduled(fixedRate = 10_000)
        @Locked(name = "x", onBusy = OnBusy.FAIL, waitFor = "1s")
        public void work() {}
    }

    static class JobWithARate {
        @Scheduled(fixedRate = 1_000)
        @LockedJob(name = "x", atMost = "1m")
        public void work() {}
    }

    static class JobWithARateToo {
        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(fixedRate = 1_000)
        @LockedJob(name = "x", atMost = "1m")
        public void work() {}
    }

    static class JobWithoutName {
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(atMost = "1m")
        public void work() {}
    }

    static class JobEndsTooEarly {
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "x", atMost = "5s")
        public void work() {}
    }

    static class JobWithoutDuration {
        @LockedJob(name = "x", atMost = "soon", atLeast = "1s")
        public void work() {}
    }

    static class JobWithoutAtMost {
        @LockedJob(name = "x", atMost = "${no.property: }", atLeast = "1s")
        public void work() {}
    }

    static class JobAndLocked {
        @Locked("x")
        @LockedJob(name = "x", atMost = "1m", atLeast = "1s")
        public void work() {}
    }

    static class ShortHold {
        @Locked(name = "x", maxHold = "49ms")
        public void work() {}
    }

    static class ReentrantStage {
        @Locked(name = "x", reentrant = true)
        public @Nullable CompletableFuture<String> work() {
            return null;
        }
    }

    static class LeaderWithoutName {
        @LeaderOnly("")
        public void work() {}
    }

    @LeaderOnly("x")
    static class LeaderWithNumber {
        public int work() {
            return 1;
        }
    }

    static class LeaderWithMono {
        @LeaderOnly("x")
        public reactor.core.publisher.Mono<String> work() {
            return reactor.core.publisher.Mono.empty();
        }
    }

    static Object[][] traps() {
        return new Object[][] {
            {PrivateMethod.class, "@Locked method PrivateMethod.work() is private"},
            {FinalMethod.class, "@Locked method FinalMethod.work() is final"},
            {
                PackagePrivateMethod.class,
                "@Locked method PackageWork.work() is package-private, and its bean's class is in"
            },
            {
                Inherited.class,
                "@Locked method Declared.work() is in an interface of Inherited, which inherits its implementation from Undeclared"
            },
            {InheritedForText.class, "@Locked method DeclaredForAny.work(Object) is in an interface of InheritedForText"
            },
            {InheritedByLeader.class, "@LeaderOnly method DeclaredForLeaders.work() is in an interface of"},
            {
                InitMethod.class,
                "@Locked method InitMethod.work() is called by Spring while it creates or destroys the bean, not through the bean's proxy"
            },
            {InjectedMethod.class, "@Locked method InjectedMethod.work(Environment) is called by Spring"},
            {OverriddenDestroyMethod.class, "@Locked method OverriddenDestroyMethod.work() is called by Spring"},
            {Initializing.class, "@Locked method Initializing.afterPropertiesSet() is called by Spring"},
            {LeaderInit.class, "@LeaderOnly method LeaderInit.work() is called by Spring"},
            {StaticMethod.class, "@Locked method StaticMethod.work() is static"},
            {FinalClass.class, "@Locked method FinalClass.work() is in a final class"},
            {AsyncMethod.class, "@Locked method AsyncMethod.work() is @Async too"},
            {AsyncClass.class, "@Locked method AsyncClass.work() is @Async too"},
            {Primitive.class, "@Locked method Primitive.work() returns a primitive int"},
            {OtherPublisher.class, "returns a org.reactivestreams.Publisher"},
            {PlainFuture.class, "returns a java.util.concurrent.Future"},
            {LazyStream.class, "returns a java.util.stream.Stream"},
            {NoName.class, "@Locked method NoName.work(String) has no name"},
            {BadName.class, "BadName.work() cannot be locked: the lock's name"},
            {BadKey.class, "@Locked method BadKey.work(String) has the key '#id +', which is not a SpEL expression"},
            {BadWait.class, "@Locked method BadWait.work() has the waitFor 'soon', which is not a duration"},
            {NegativeWait.class, "has the waitFor '-1s', but it must be 0 or more"},
            {ShortTtl.class, "ShortTtl.work() cannot be locked: ttl is 10 ms, but must be from 50 ms"},
            {LongTtl.class, "LongTtl.work() cannot be locked: ttl is 23 h, but must be at most the fenceRetention"},
            {LongAtLeast.class, "LongAtLeast.work() cannot be locked: atLeast is 25 h"},
            {UnknownPlaceholder.class, "UnknownPlaceholder.work() has the name '${no.such.property}'"},
            {TwoLeases.class, "has 2 parameters of type Lease"},
            {
                ScheduledAndWaiting.class,
                "@Locked method ScheduledAndWaiting.work() is @Scheduled and waits for its lock, so each instance runs it"
            },
            {ScheduledTwiceAndWaiting.class, "is @Scheduled and waits for its lock"},
            {
                ScheduledWithALongWait.class,
                "@Locked method ScheduledWithALongWait.work() is @Scheduled and waits up to 8 s for its lock, which stays held"
                        + " for at least 2 s, so each instance may run it"
            },
            {ScheduledWithAWaitAlone.class, "is @Scheduled and waits up to 1 s for its lock"},
            {JobWithARate.class, "@LockedJob method JobWithARate.work() has no atLeast"},
            {JobWithARateToo.class, "@LockedJob method JobWithARateToo.work() has no atLeast"},
            {JobWithoutName.class, "@LockedJob method JobWithoutName.work() has no name"},
            {JobEndsTooEarly.class, "holds its lock for at least 10000 ms, but for at most 5000 ms"},
            {JobWithoutDuration.class, "has the atMost 'soon', which is not a duration"},
            {JobWithoutAtMost.class, "@LockedJob method JobWithoutAtMost.work() has no atMost."},
            {JobAndLocked.class, "@LockedJob method JobAndLocked.work() is @Locked too"},
            {ShortHold.class, "ShortHold.work() cannot be locked: maxHold is 49 ms"},
            {ReentrantStage.class, "is reentrant, but returns a CompletableFuture"},
            {LeaderWithoutName.class, "@LeaderOnly method LeaderWithoutName.work() has no election"},
            {LeaderWithNumber.class, "@LeaderOnly method LeaderWithNumber.work() returns a primitive int"},
            {LeaderWithMono.class, "@LeaderOnly method LeaderWithMono.work() returns a Mono"},
        };
    }

    private static ApplicationContextRunner application() {
        return Contexts.inMemory().withPropertyValues("holdfast.fence-retention=1h");
    }

    @ParameterizedTest
    @MethodSource("traps")
    void endsTheStart(Class<?> bean, String message) {
        application().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()).getDescription()).contains(message);
            assertThat(analysis(context.getStartupFailure()).getAction()).isNotBlank();
        });
    }

    static class Init {
        private final AtomicInteger runs = new AtomicInteger();

        @Locked("x")
        public void work() {
            runs.incrementAndGet();
        }
    }

    /** An init method of a bean that has a leader's work too, but in any instance. */
    @LeaderOnly("x")
    static class LeaderWithInit {
        @PostConstruct
        public void init() {}
    }

    @Test
    void theInitMethodOfADefinitionEndsTheStartBeforeItRuns() {
        Init init = new Init();
        application()
                .withBean(Init.class, () -> init, definition -> definition.setInitMethodName("work"))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getDescription())
                            .contains("@Locked method Init.work() is called by Spring");
                    assertThat(init.runs).hasValue(0);
                });
        application()
                .withBean(Init.class)
                .withBean(LeaderWithInit.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class ScheduledWithAShortWait {
        @Scheduled(cron = "0/10 * * * * *")
        @Locked(name = "x", onBusy = OnBusy.SKIP, waitFor = "1s", atLeast = "2s")
        public void work() {}
    }

    static class WaitingOnRequest {
        @Locked(name = "x", onBusy = OnBusy.SKIP, waitFor = "8s")
        public void work() {}
    }

    @Test
    void aWaitThatEndsBeforeTheLockIsFreeIsAccepted() {
        application()
                .withBean(ScheduledWithAShortWait.class)
                .withBean(WaitingOnRequest.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    interface Worker {
        void other();
    }

    static class HalfDeclared implements Worker {
        @Override
        public void other() {}

        @Locked("x")
        public void work() {}
    }

    @Test
    void aMethodThatAnInterfaceProxyHidesEndsTheStart() {
        application()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(HalfDeclared.class)
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getDescription())
                            .contains("HalfDeclared.work() is in no interface");
                });
    }

    static class Early {
        @Locked("x")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class CreatedLater {
        @Bean
        @Lazy
        PrivateMethod lazy() {
            return new PrivateMethod();
        }

        @Bean
        @Scope("prototype")
        ShortTtl prototype() {
            return new ShortTtl();
        }
    }

    @Test
    void lazyBeansAndPrototypesAreCheckedWhenTheyAreCreated() {
        application().withUserConfiguration(CreatedLater.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(PrivateMethod.class))
                    .hasRootCauseInstanceOf(LockedMethodException.class)
                    .hasStackTraceContaining("PrivateMethod.work() is private");
            assertThatThrownBy(() -> context.getBean(ShortTtl.class))
                    .hasStackTraceContaining("ShortTtl.work() cannot be locked: ttl is 10 ms");
        });
    }

    /** A configuration that Spring creates before its post-processors, because a method that declares one is not static. */
    @Configuration(proxyBeanMethods = false)
    static class EarlyConfiguration {
        @Bean
        BeanFactoryPostProcessor tooEarly() {
            return factory -> {};
        }

        @Locked("x")
        public void work() {}
    }

    @Test
    void aBeanThatNoPostProcessorHasSeenIsLogged(CapturedOutput output) {
        application()
                .withUserConfiguration(EarlyConfiguration.class)
                .withInitializer(context -> context.getBeanFactory().registerSingleton("ready", new Early()))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("@Locked method EarlyConfiguration.work() is in the bean ")
                .contains("@Locked method Early.work() is in the bean 'ready', which Spring has not passed");
        assertThat(output.toString().split("which Spring has not passed", -1)).hasSize(3);
    }

    /** A factory of a bean, as of a library. */
    record Factory(Object getObject) implements SmartFactoryBean<Object> {
        @Override
        public Class<?> getObjectType() {
            return getObject.getClass();
        }

        @Override
        public boolean isEagerInit() {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("traps")
    void endsTheStartAlsoIfAFactoryMakesTheBean(Class<?> bean, String message) {
        application()
                .withBean(Factory.class, () -> new Factory(BeanUtils.instantiateClass(bean)))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getDescription())
                            .contains(message);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutProxies {
        @Bean
        Early early() {
            return new Early();
        }
    }

    @Test
    void methodsAreLockedThoughNothingElseWrapsBeans() {
        Contexts.inMemory()
                .withPropertyValues("spring.aop.auto=false")
                .withUserConfiguration(WithoutProxies.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
