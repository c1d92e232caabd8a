package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.fence.JdbcGuard;
import dev.holdfast.fence.SqlDialect;
import dev.holdfast.spring.LockedJob;
import java.sql.Connection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The nightly batch, whose nights are 5 s long here: it runs in one instance, and the others skip it.
 *
 * <p>All instances ask at the same moment. {@code atLeast} keeps the lock held for a while, so that neither an instance
 * that waits briefly for it nor one whose clock is a little late gets it.
 *
 * <p>An instance that was paused for longer asks when the night has ended and the lock is free. Work that must not run
 * twice therefore checks whether it was done. Under the lock that is safe. The guard rejects an instance that was
 * paused after it had acquired the lock.
 */
@Component
public class Nightly {

    private static final JdbcGuard FENCE = JdbcGuard.of(SqlDialect.POSTGRESQL);

    private final JdbcTemplate jdbc;
    private final Journal journal;

    Nightly(JdbcTemplate jdbc, Journal journal) {
        this.jdbc = jdbc;
        this.journal = journal;
    }

    @Scheduled(cron = "*/${sample.nightly-seconds} * * * * *")
    @LockedJob(name = "nightly", atMost = "1m", atLeast = "2s")
    @Transactional
    public void run() {
        long token = Holdfast.currentLease().orElseThrow().fencingToken();
        jdbc.execute((Connection connection) -> {
            FENCE.check(connection, "nightly", token);
            return true;
        });
        String night = journal.night();
        if (!journal.has("nightly", night)) {
            journal.write("nightly", night, token);
        }
    }
}
