package dev.holdfast.benchmarks.side;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's {@link JdbcLockRegistry}, with the insert that its documentation advises for PostgreSQL. */
final class JdbcRegistryClient implements LockClient {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS int_lock (lock_key char(36) NOT NULL,"
            + " region varchar(100) NOT NULL, client_id char(36), created_date timestamp NOT NULL,"
            + " expired_after timestamp NOT NULL, CONSTRAINT int_lock_pk PRIMARY KEY (lock_key, region))";

    private final HikariDataSource pool;
    private final JdbcLockRegistry registry;

    JdbcRegistryClient(String node) {
        pool = PostgresPool.open(node, PostgresPool.CONNECTIONS, TABLE);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository);
    }

    @Override
    public NamedLock lock(String name) {
        Lock lock = registry.obtain(name);
        NamedLock.Held held = lock::unlock;
        return () -> {
            lock.lockInterruptibly();
            return held;
        };
    }

    @Override
    public void close() {
        pool.close();
    }
}
