package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.OnBusy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** One instance of an application with a method that runs every five seconds; writes down in which round it ran, and under which token. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableScheduling
class ScheduledWorker {

    /** Arguments: a folder, the name of this instance, and the nodes. */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(ScheduledWorker.class);
        application.setDefaultProperties(Map.of(
                "spring.main.banner-mode", "off",
                "spring.docker.compose.enabled", "false",
                "worker.folder", args[0],
                "worker.name", args[1],
                "holdfast.nodes", args[2],
                "holdfast.ttl", "1800ms",
                "holdfast.node.timeout", "700ms",
                "holdfast.restart-quarantine", "4s"));
        application.run();
    }

    @Bean
    static Rounds rounds(@Value("${worker.folder}") Path folder, @Value("${worker.name}") String name) {
        return new Rounds(folder, name);
    }

    static class Rounds {

        private static final long ROUND_MILLIS = 5_000;
        private static final long EARLY_MILLIS = 50;

        private final Path folder;
        private final String name;

        Rounds(Path folder, String name) {
            this.folder = folder;
            this.name = name;
        }

        @EventListener(ApplicationReadyEvent.class)
        void ready() throws IOException {
            Files.createFile(folder.resolve(name + ".ready"));
        }

        /**
         * In the round that was meant, though the scheduler may be a little early; on a busy machine it is late. Where votes are split beside a silent node
         * the lock is taken a node timeout late, and free {@code atLeast} after that: both together are less than a round, by as much as all that may be
         * late besides.
         */
        @Scheduled(cron = "*/5 * * * * *")
        @Locked(name = "rounds", onBusy = OnBusy.SKIP, atLeast = "2800ms")
        public void round() throws IOException {
            long round = Math.floorDiv(System.currentTimeMillis() + EARLY_MILLIS, ROUND_MILLIS);
            long token = Holdfast.currentLease().orElseThrow().fencingToken();
            Files.writeString(
                    folder.resolve(name + ".runs"),
                    round + " " + token + " " + name + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
