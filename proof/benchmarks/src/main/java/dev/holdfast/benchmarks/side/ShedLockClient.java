package dev.holdfast.benchmarks.side;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock's provider for JDBC, with the database's time, as its documentation advises. It can't wait, so it is only for free locks; a lock that is
 * not free is an error.
 */
final class ShedLockClient implements LockClient {

    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
                    + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";
    private static final Duration TTL = Duration.ofSeconds(30);

    private final HikariDataSource pool;
    private final JdbcTemplateLockProvider provider;

    ShedLockClient(String node) {
        pool = PostgresPool.open(node, PostgresPool.CONNECTIONS, TABLE);
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public NamedLock lock(String name) {
        return () -> {
            SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), name, TTL, Duration.ZERO))
                    .orElseThrow(() -> new IllegalStateException(name + " is not free"));
            return lock::unlock;
        };
    }

    @Override
    public void close() {
        pool.close();
    }
}
