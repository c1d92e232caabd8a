package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastAdmin;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.locked.LeasedCall;
import dev.holdfast.postgresql.LeaseAssertion;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Asserts the leases of locked methods before transactions within those methods commit, if the transaction's database is the client's only node. From then on
 * no other client is granted the lock until the transaction has ended, so a paused holder cannot commit late. A lease that has ended rolls the transaction
 * back. Read-only transactions assert nothing. Thread-safe.
 */
public final class CommitAssertion implements TransactionExecutionListener {

    private static final String WHAT = "assertion of the lease before the commit (holdfast.locked.assert-held)";
    private static final String SERIALIZATION_FAILURE = "40001"; // the vote that the transaction still sees is gone

    private final Supplier<Holdfast> holdfast;
    private final Supplier<List<DataSource>> dataSources;
    private final Supplier<Set<DataSource>> nodes;
    private final Map<Place, Optional<LeaseAssertion>> assertions = new ConcurrentHashMap<>();

    /** A database of a data source. A data source that routes, as to the database of a tenant, has several. */
    private record Place(DataSource dataSource, String url) {}

    /**
     * Creates a listener. It looks up the beans at the first commit within a locked method.
     *
     * @param dataSources all data sources of the application
     * @param nodes the data sources that are known to be the client's node; for any other, the listener compares the databases
     */
    public CommitAssertion(
            Supplier<Holdfast> holdfast, Supplier<List<DataSource>> dataSources, Supplier<Set<DataSource>> nodes) {
        this.holdfast = holdfast;
        this.dataSources = dataSources;
        this.nodes = nodes;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        List<Lease> leases = LeasedCall.leasesOfThisThread();
        if (leases.isEmpty() || transaction.isReadOnly()) {
            return;
        }
        for (DataSource dataSource : dataSources.get()) {
            if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder) {
                assertIn(dataSource, leases);
            }
        }
    }

    private void assertIn(DataSource dataSource, List<Lease> leases) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            Place place = new Place(
                    dataSource, String.valueOf(connection.getMetaData().getURL()));
            Optional<LeaseAssertion> assertion = assertions.get(place);
            if (assertion == null) {
                assertion = find(dataSource, connection);
                assertions.put(place, assertion);
            }
            if (assertion.isPresent()) {
                for (Lease lease : leases) {
                    assertion.get().assertHeld(connection, lease);
                }
            }
        } catch (SQLException e) {
            throw SERIALIZATION_FAILURE.equals(e.getSQLState())
                    ? new ConcurrencyFailureException(WHAT + ": " + e.getMessage(), e)
                    : new UncategorizedSQLException(WHAT, null, e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private Optional<LeaseAssertion> find(DataSource dataSource, Connection connection) throws SQLException {
        HoldfastAdmin client = holdfast.get().admin();
        if (client.nodeNames().size() != 1) {
            return Optional.empty();
        }
        if (nodes.get().contains(dataSource) && !dataSource.isWrapperFor(AbstractRoutingDataSource.class)) {
            return Optional.of(new LeaseAssertion("holdfast", client.keyPrefix()));
        }
        try {
            return LeaseAssertion.of(client.nodes().get(0), connection, client.keyPrefix());
        } catch (IllegalStateException e) {
            throw new HoldfastException("cannot assert the lease before the commit: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HoldfastException("interrupted before the commit, while comparing the databases");
        }
    }
}
