package dev.holdfast.postgresql;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Quarantine;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A client's view of one PostgreSQL database. Thread-safe; no call blocks.
 *
 * <p>Requests that arrive while a statement is under way go out together in the next one, in the order of the calls. They share one
 * transaction, one commit and one round trip. Notifications arrive on a second connection. While there is no connection, the node answers requests with {@link
 * Unavailable} at once. When a connection ends, requests under way on it get {@link Unavailable} too.
 */
public final class PostgresNode implements LockNode {

    private final String name;
    private final NodeContext context;
    private final Session session;
    private final boolean followsClock;

    PostgresNode(String name, ConnectionSource connections, Schema schema, NodeContext context) {
        this.name = name;
        this.context = context;
        this.followsClock = context.nodes() == 1;
        this.session = new Session(name, connections, schema, context);
    }

    /**
     * Returns the opener of a node in an application's database, for {@link dev.holdfast.HoldfastBuilder#node}.
     *
     * @param dataSource the source of the node's connections. A client keeps up to two of them open, even while nothing is locked, and never uses a
     *     connection of the caller's transaction. A pool must have room for them.
     */
    public static Function<NodeContext, LockNode> of(DataSource dataSource) {
        return of(dataSource, Schema.DEFAULT_NAME);
    }

    /**
     * Returns the opener of a node in an application's database, in a schema of this name.
     *
     * @param schema 1 to 50 lowercase letters, digits and underscores; {@code holdfast} by default. It must not have tables or functions of another program.
     * @throws IllegalArgumentException if the name of the schema is wrong
     */
    public static Function<NodeContext, LockNode> of(DataSource dataSource, String schema) {
        Schema checked = new Schema(schema);
        return context -> new PostgresNode("postgresql:" + schema, dataSource::getConnection, checked, context).start();
    }

    /**
     * Returns the opener of a node in the database of a JDBC URL, over connections of its own.
     *
     * @param url the URL, such as {@code jdbc:postgresql://localhost:5432/orders}
     * @param properties the properties of the driver, such as {@code user} and {@code password}; the node asks for them each time that it connects. They
     *     take precedence over {@link dev.holdfast.node.NodeOptions}.
     * @throws IllegalArgumentException if the URL does not begin with {@code jdbc:postgresql:}
     */
    public static Function<NodeContext, LockNode> of(String url, Supplier<Properties> properties) {
        DriverUrl driver = new DriverUrl(url, properties);
        Schema schema = new Schema(Schema.DEFAULT_NAME);
        return context -> new PostgresNode(driver.name(), driver.connections(context), schema, context).start();
    }

    /** Begins to connect. */
    PostgresNode start() {
        session.start();
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        Session.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(session.notConnected());
        }
        return Quarantine.ask(
                request,
                session.quarantineMillis(request.ttlMillis()),
                sent -> session.<AcquireAnswer>carryOut(
                        LockCall.of(sent, base(up, sent.ttlMillis())), LockCall::acquireAnswer, why -> why));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        Session.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(session.notConnected());
        }
        return session.<ReleaseAnswer>carryOut(
                LockCall.of(request, base(up, context.times().ttlMillis())), LockCall::releaseAnswer, why -> why);
    }

    /**
     * Returns the lower bound of fences. The fences of a sole node follow its clock, so that they rise even if the server loses commits without this
     * client's knowledge.
     */
    private long base(Session.Up up, long ttlMillis) {
        if (followsClock) {
            return Long.MAX_VALUE;
        }
        return up.lostAtMillis() == 0
                ? 0
                : FenceFromTime.ofRun(up.lostAtMillis()
                        + Math.max(context.times().quarantineMillis().applyAsLong(ttlMillis), 0));
    }

    @Override
    public long quarantineMillis(long ttlMillis) {
        return session.quarantineMillis(ttlMillis);
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return session.<InspectAnswer>query(link -> link.inspect(resource, null), why -> why);
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return session.<ListAnswer>query(link -> link.list(prefix, limit), why -> why);
    }

    @Override
    public Persistence persistence() {
        Session.Up up = session.up();
        return up == null ? Persistence.UNKNOWN : up.durable() ? Persistence.ALL : Persistence.SEALS;
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        return session.status();
    }

    @Override
    public void close() {
        session.close();
    }
}
