package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.OnBusy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** One instance of an application with a method that runs in every round; it records the round in which it ran, and its token. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableScheduling
class ScheduledWorker {

    private static final long EARLY_MILLIS = 50;

    /** Arguments: a folder, the name of this instance, the nodes, and the length of a round in seconds, 1 or 5. */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(ScheduledWorker.class);
        application.setDefaultProperties(Map.of(
                "spring.main.banner-mode",
                "off",
                "spring.docker.compose.enabled",
                "false",
                "worker.folder",
                args[0],
                "worker.name",
                args[1],
                "holdfast.nodes",
                args[2],
                "worker.seconds",
                args[3],
                "holdfast.ttl",
                args[3].equals("1") ? "800ms" : "1800ms",
                "holdfast.node.timeout",
                args[3].equals("1") ? "300ms" : "700ms",
                "holdfast.restart-quarantine",
                "4s"));
        application.run();
    }

    @Bean
    static Ready ready(@Value("${worker.folder}") Path folder, @Value("${worker.name}") String name) {
        return new Ready(folder, name);
    }

    /** The report that the instance has started. */
    static class Ready {

        private final Path folder;
        private final String name;

        Ready(Path folder, String name) {
            this.folder = folder;
            this.name = name;
        }

        @EventListener(ApplicationReadyEvent.class)
        void ready() throws IOException {
            Files.createFile(folder.resolve(name + ".ready"));
        }

        /** Writes the number of the intended round, although the scheduler may be a little early, or late on a busy machine. */
        void write(long roundMillis) throws IOException {
            long round = Math.floorDiv(System.currentTimeMillis() + EARLY_MILLIS, roundMillis);
            long token = Holdfast.currentLease().orElseThrow().fencingToken();
            Files.writeString(
                    folder.resolve(name + ".runs"),
                    round + " " + token + " " + name + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    @Bean
    @ConditionalOnProperty(name = "worker.seconds", havingValue = "5")
    static Rounds rounds(Ready ready) {
        return new Rounds(ready);
    }

    static class Rounds {

        private final Ready ready;

        Rounds(Ready ready) {
            this.ready = ready;
        }

        /**
         * If votes are split beside a silent node, a client acquires the lock a node timeout late, and the lock is free {@code atLeast} after that. Both
         * together are less than a round, with a margin for all other delays.
         */
        @Scheduled(cron = "*/5 * * * * *")
        @Locked(name = "rounds", onBusy = OnBusy.SKIP, atLeast = "2800ms")
        public void round() throws IOException {
            ready.write(5_000);
        }
    }

    @Bean
    @ConditionalOnProperty(name = "worker.seconds", havingValue = "1")
    static Jobs jobs(Ready ready) {
        return new Jobs(ready);
    }

    static class Jobs {

        private final Ready ready;

        Jobs(Ready ready) {
            this.ready = ready;
        }

        @Scheduled(cron = "* * * * * *")
        @LockedJob(name = "rounds", atMost = "30s", atLeast = "800ms")
        public void round() throws IOException {
            ready.write(1_000);
        }
    }
}
