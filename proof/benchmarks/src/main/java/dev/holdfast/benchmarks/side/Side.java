package dev.holdfast.benchmarks.side;

import java.time.Duration;
import java.util.List;

/** The sides of the comparison. */
public enum Side {
    HOLDFAST("Holdfast", "default settings"),
    HOLDFAST_AT_NODES("Holdfast, hand-over off", "localHandOver(false): every thread queues at the nodes itself"),
    HOLDFAST_LINGER("Holdfast, linger on", "linger of 100 ms"),
    HOLDFAST_SERVER(
            "Holdfast server",
            "HTTP and JSON to a lock server in its own JVM, without a limit of requests; the JDK's HttpClient"),
    HOLDFAST_SESSION(
            "Holdfast server, sessions",
            "WebSocket and JSON to a lock server, a session for each client, without a limit of requests; the JDK's HttpClient"),
    HOLDFAST_SERVER_MEMORY("Holdfast server, own node", "the same with a server on its embedded node, in memory"),
    RAW(
            "raw Lettuce floor",
            "SET NX PX, and a script that deletes the key if the value is the same; no flush consolidation; all nodes at once, until a majority has answered"),
    BARE_SCRIPTS(
            "our two scripts, bare",
            "Lettuce with flush consolidation that runs only acquire-alone.lua and release-alone.lua; all nodes at once, until a majority has answered"),
    REDISSON("Redisson RLock", "default settings, so its watchdog extends it"),
    REDISSON_FAIR("Redisson fair lock", "default settings, so its watchdog extends it"),
    REDISSON_FENCED("Redisson fenced lock", "default settings, so its watchdog extends it"),
    REDISSON_REDLOCK("RedissonRedLock", "default settings, an RLock at each node"),
    SPRING(
            "Spring RedisLockRegistry",
            "PUB_SUB_LOCK over a LettuceConnectionFactory, otherwise default settings; no extension"),
    ETCD(
            "etcd lock",
            "v3 lock and unlock over its JSON gateway, under a lease granted before; one member, its data in memory if the system allows it; the same HttpClient"),
    HOLDFAST_CLUSTER(
            "Holdfast cluster",
            "three servers of a strict cluster (holdfast serve --cluster) and the library, both with default settings"),
    HOLDFAST_CLUSTER_AT_NODES(
            "Holdfast cluster, hand-over off",
            "the same with localHandOver(false): every thread queues at the cluster itself"),
    ETCD_CLUSTER(
            "etcd cluster",
            "three members with default settings; jetcd's Lock, with a lease of 60 s for each holder or waiter, kept alive"),
    ZOOKEEPER(
            "ZooKeeper, Curator",
            "three servers with the times of zoo_sample.cfg; InterProcessMutex and InterProcessReadWriteLock, RetryForever(10), otherwise default settings"),
    POSTGRES_FLOOR(
            "PostgreSQL floor",
            "INSERT … ON CONFLICT DO NOTHING, and DELETE, with autocommit; HikariCP with 64 connections"),
    POSTGRES_FLOOR_SMALL("PostgreSQL floor, 10 connections", "the same; HikariCP with 10 connections, its default"),
    ADVISORY("session advisory lock", "pg_advisory_lock and pg_advisory_unlock; HikariCP with 64 connections"),
    JDBC_REGISTRY(
            "Spring JdbcLockRegistry",
            "DefaultLockRepository with ON CONFLICT DO NOTHING, as its documentation advises for PostgreSQL, otherwise default settings; HikariCP with 64 connections"),
    SHEDLOCK("ShedLock JdbcTemplate", "usingDbTime; HikariCP with 64 connections");

    private static final int HIKARI_DEFAULT = 10;

    private static final Duration LINGER = Duration.ofMillis(100);

    /** The name in tables and charts. */
    public final String title;

    /** The setup of the side. */
    public final String setUp;

    Side(String title, String setUp) {
        this.title = title;
        this.setUp = setUp;
    }

    @Override
    public String toString() {
        return title;
    }

    /** Returns a client of these servers, each as {@code redis://host:port} or {@code postgresql://…}: one server is a single node; of several, a majority decides. */
    public LockClient connect(List<String> nodes, ClientOptions options) {
        return switch (this) {
            case HOLDFAST -> new HoldfastClient(nodes, options, lock -> lock);
            case HOLDFAST_AT_NODES -> new HoldfastClient(nodes, options, lock -> lock.localHandOver(false));
            case HOLDFAST_LINGER -> new HoldfastClient(nodes, options, lock -> lock.linger(LINGER));
            case HOLDFAST_SERVER, HOLDFAST_SERVER_MEMORY -> new LockServerClient(nodes.get(0));
            case HOLDFAST_SESSION -> new SessionLockClient(nodes.get(0));
            case HOLDFAST_CLUSTER -> new HoldfastClient(nodes, options, lock -> lock);
            case HOLDFAST_CLUSTER_AT_NODES -> new HoldfastClient(nodes, options, lock -> lock.localHandOver(false));
            case ETCD_CLUSTER -> new JetcdClient(nodes);
            case ZOOKEEPER -> new CuratorClient(nodes);
            case ETCD -> new EtcdClient(nodes.get(0));
            case RAW -> new RawClient(nodes);
            case BARE_SCRIPTS -> new BareScriptsClient(nodes);
            case REDISSON -> RedissonLockClient.connect(nodes, options, RedissonLockClient.Kind.PLAIN);
            case REDISSON_FAIR -> RedissonLockClient.connect(nodes, options, RedissonLockClient.Kind.FAIR);
            case REDISSON_FENCED -> RedissonLockClient.connect(nodes, options, RedissonLockClient.Kind.FENCED);
            case REDISSON_REDLOCK -> new RedissonRedlockClient(nodes, options);
            case SPRING -> new SpringClient(nodes, options);
            case POSTGRES_FLOOR -> new PostgresFloorClient(nodes.get(0), PostgresPool.CONNECTIONS);
            case POSTGRES_FLOOR_SMALL -> new PostgresFloorClient(nodes.get(0), HIKARI_DEFAULT);
            case ADVISORY -> new AdvisoryLockClient(nodes.get(0));
            case JDBC_REGISTRY -> new JdbcRegistryClient(nodes.get(0));
            case SHEDLOCK -> new ShedLockClient(nodes.get(0));
        };
    }
}
