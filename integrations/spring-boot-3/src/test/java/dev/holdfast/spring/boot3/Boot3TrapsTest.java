package dev.holdfast.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.boot.HoldfastProperties;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Mistakes with locked methods end the start, or the call, on Spring Boot 3.5 too. */
@Tag("slow")
class Boot3TrapsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Shop {}

    static class NoText {
        @Locked(name = "x", key = "#day")
        public void work(Date day) {}
    }

    static class UnknownVariable {
        @Locked(name = "x", key = "#ordr")
        public void work(String order) {}
    }

    static class UnknownProperty {
        @Locked(name = "x", key = "#order.nubmer")
        public void work(String order) {}
    }

    static class UnknownMethod {
        @Locked(name = "x", key = "#order.getNubmer()")
        public void work(String order) {}
    }

    static class UnknownBean {
        @Locked(name = "x", key = "@nope.of(#order)")
        public void work(String order) {}
    }

    static class PrivateMethod {
        @Locked("x")
        private void work() {}
    }

    static class Primitive {
        @Locked(name = "x", onBusy = OnBusy.SKIP)
        public int work() {
            return 1;
        }
    }

    static class ScheduledAndWaiting {
        @Scheduled(cron = "0 0 3 * * *")
        @Locked("x")
        public void work() {}
    }

    static class JobWithARate {
        @Scheduled(fixedRate = 60_000)
        @LockedJob(name = "x", atMost = "1m")
        public void work() {}
    }

    static class NoDuration {
        @Locked(name = "x", waitFor = "soon")
        public void work() {}
    }

    static Object[][] traps() {
        return new Object[][] {
            {NoText.class, "which is of java.util.Date, whose text may differ for equal values"},
            {UnknownVariable.class, "has the variable #ordr"},
            {UnknownProperty.class, "has the property 'nubmer', which java.lang.String does not have"},
            {UnknownMethod.class, "has the call 'getNubmer()', but java.lang.String has no such method"},
            {UnknownBean.class, "has the bean 'nope', which does not exist"},
            {PrivateMethod.class, "is private"},
            {Primitive.class, "returns a primitive int"},
            {ScheduledAndWaiting.class, "is @Scheduled and waits for its lock"},
            {JobWithARate.class, "has no atLeast"},
            {NoDuration.class, "has the waitFor 'soon', which is not a duration"},
        };
    }

    private static ConfigurableApplicationContext start(Class<?> bean) {
        SpringApplication application = new SpringApplication(Shop.class, bean);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(
                "--holdfast.nodes=memory:",
                "--holdfast.ttl=7",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration");
    }

    @ParameterizedTest
    @MethodSource("traps")
    void e25_endsTheStart(Class<?> bean, String message) {
        assertThatThrownBy(() -> start(bean).close())
                .hasStackTraceContaining(LockedMethodException.class.getName())
                .hasStackTraceContaining(bean.getSimpleName() + ".work(")
                .hasStackTraceContaining(message);
    }

    static class Orders {
        @Locked("orders")
        public String outer(Orders proxy) {
            return proxy.inner();
        }

        @Locked("orders")
        public String inner() {
            return "not reached";
        }

        @Locked(name = "any", key = "#key")
        public void any(Object key) {}
    }

    @Test
    void e25_endsTheCall() {
        try (ConfigurableApplicationContext application = start(Orders.class)) {
            Orders orders = application.getBean(Orders.class);
            assertThatThrownBy(() -> orders.outer(orders)).isInstanceOf(SelfDeadlockException.class);
            assertThatThrownBy(() -> orders.any(List.of(new Object())))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("which is of java.lang.Object");
            assertThat(application.getBean(HoldfastProperties.class).ttl()).hasSeconds(7);
        }
    }
}
