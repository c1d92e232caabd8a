package dev.holdfast.quarkus.sample;

import dev.holdfast.cdi.LockedJob;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.ScheduledExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;

/** A job that one of all instances runs. The setting {@code sample.count} is its cron expression. */
@ApplicationScoped
public class Count {

    private final StockFile file;

    @Inject
    public Count(StockFile file) {
        this.file = file;
    }

    @Scheduled(cron = "{sample.count}")
    @LockedJob(name = "count", atMost = "30s")
    void count(ScheduledExecution round) throws IOException {
        file.write("rounds", file.taken("rounds") + 1);
        file.append("history", round.getScheduledFireTime().toString());
    }
}
