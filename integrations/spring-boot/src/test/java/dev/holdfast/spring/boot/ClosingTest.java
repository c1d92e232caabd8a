package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.OnBusy;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.CommonAnnotationBeanPostProcessor;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The end of an application: its client is closed after all beans that use locks. */
class ClosingTest {

    private static final List<String> EVENTS = new CopyOnWriteArrayList<>();
    private static final CountDownLatch RUNNING = new CountDownLatch(2);
    private static final CountDownLatch CLOSING = new CountDownLatch(1);
    private static final CountDownLatch STOPPING = new CountDownLatch(1);

    /** A bean with a locked method and without a reference to Holdfast, which runs until the application stops. */
    static class Job {

        @Scheduled(fixedDelay = 1)
        @Locked(value = "job", onBusy = OnBusy.SKIP, atLeast = "1ms")
        public void run() throws InterruptedException {
            work("scheduled");
        }

        @Locked("other")
        public void task() throws InterruptedException {
            work("task");
        }

        @Locked("last")
        public void last() {
            EVENTS.add("last");
        }

        private static void work(String name) throws InterruptedException {
            if (STOPPING.getCount() > 0) {
                RUNNING.countDown();
                STOPPING.await();
                Holdfast.currentLease().orElseThrow().ensureHeld();
                EVENTS.add(name);
            }
        }
    }

    /** A bean that acquires the lock when it is destroyed, through the locked bean only. */
    static class Late {

        private final Job job;

        Late(Job job) {
            this.job = job;
        }

        @PreDestroy
        void destroy() {
            job.last();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import(CommonAnnotationBeanPostProcessor.class)
    static class Application {

        @EventListener(ContextClosedEvent.class)
        void closing() {
            CLOSING.countDown();
        }

        @Bean
        Job job() {
            return new Job();
        }

        @Bean
        Late late(Job job) {
            return new Late(job);
        }

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(20);
            return executor;
        }
    }

    @Test
    void theClientIsClosedAfterWhateverLocks() {
        Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withPropertyValues(
                        "spring.task.scheduling.shutdown.await-termination=true",
                        "spring.task.scheduling.shutdown.await-termination-period=20s")
                .withUserConfiguration(Application.class)
                .run(context -> {
                    Job job = context.getBean(Job.class);
                    context.getBean(ThreadPoolTaskExecutor.class).submit(() -> {
                        job.task();
                        return null;
                    });
                    RUNNING.await();
                    Thread closing = new Thread(context.getSourceApplicationContext()::close, "closing-in-a-test");
                    closing.start();
                    CLOSING.await();
                    STOPPING.countDown();
                    closing.join();
                });

        assertThat(EVENTS).containsExactlyInAnyOrder("scheduled", "task", "last");
        assertThat(EVENTS).last().isEqualTo("last");
    }
}
