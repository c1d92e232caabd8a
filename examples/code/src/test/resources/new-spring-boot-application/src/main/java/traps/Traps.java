package traps;

import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.OnBusy;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Mistakes, each in an application of its own. Prints a line for each: the message that ended the start, or what else happened. */
public class Traps {

    public static void main(String[] args) {
        List.of(NoText.class, ArrayKey.class, HashCodeKey.class, UnknownVariable.class, UnknownProperty.class)
                .forEach(Traps::start);
        List.of(WaitingSchedule.class, LongWait.class, EndlessJob.class, NoDuration.class, WorkThatRunsLater.class)
                .forEach(Traps::start);
        start(Order.class, "--holdfast.locked.wait-for=-1");
        try (ConfigurableApplicationContext context = started(Twice.class)) {
            context.getBean(Twice.class).outer(() -> context.getBean(Twice.class).inner());
            System.out.println("Twice: both methods ran");
        } catch (Exception e) {
            System.out.println("Twice: " + e.getClass().getSimpleName());
        }
    }

    private static ConfigurableApplicationContext started(Class<?> trap, String... arguments) {
        return new SpringApplicationBuilder(Application.class, trap)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    private static void start(Class<?> trap, String... arguments) {
        try (ConfigurableApplicationContext context = started(trap, arguments)) {
            System.out.println(trap.getSimpleName() + ": started");
        } catch (Exception e) {
            Throwable cause = e;
            while (cause.getCause() != null && !cause.getClass().getName().startsWith("dev.holdfast.")) {
                cause = cause.getCause();
            }
            System.out.println(trap.getSimpleName() + ": " + cause.getMessage());
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {}

    static class Order {

        public int getNumber() {
            return 42;
        }
    }

    static class NoText {
        @Locked(name = "orders", key = "#order")
        public void ship(Order order) {}
    }

    static class ArrayKey {
        @Locked(name = "orders", key = "#numbers")
        public void ship(int[] numbers) {}
    }

    static class HashCodeKey {
        @Locked(name = "orders", key = "#order.hashCode()")
        public void ship(Order order) {}
    }

    static class UnknownVariable {
        @Locked(name = "orders", key = "#ordr.number")
        public void ship(Order order) {}
    }

    static class UnknownProperty {
        @Locked(name = "orders", key = "#order.nubmer")
        public void ship(Order order) {}
    }

    static class WaitingSchedule {
        @Scheduled(cron = "0 0 3 * * *")
        @Locked("nightly")
        public void work() {}
    }

    static class LongWait {
        @Scheduled(cron = "0/10 * * * * *")
        @Locked(name = "often", onBusy = OnBusy.SKIP, waitFor = "8s", atLeast = "2s")
        public void work() {}
    }

    static class EndlessJob {
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "nightly", atMost = "")
        public void work() {}
    }

    static class NoDuration {
        @Locked(name = "orders", waitFor = "soon")
        public void work() {}
    }

    static class WorkThatRunsLater {
        @Locked("orders")
        public Callable<String> work() {
            return () -> "done";
        }
    }

    static class Twice {

        @Locked("twice")
        public void outer(Runnable inner) {
            inner.run();
        }

        @Locked("twice")
        public void inner() {}
    }
}
