package dev.holdfast.benchmarks.side;

import java.util.List;

/** Who is compared. */
public enum Side {
    HOLDFAST("Holdfast"),
    RAW("raw Lettuce floor"),
    BARE_SCRIPTS("our two scripts, bare"),
    REDISSON("Redisson RLock"),
    REDISSON_FAIR("Redisson fair lock"),
    REDISSON_FENCED("Redisson fenced lock"),
    REDISSON_REDLOCK("RedissonRedLock"),
    SPRING("Spring RedisLockRegistry");

    /** What tables and pictures call it. */
    public final String title;

    Side(String title) {
        this.title = title;
    }

    /** A client of these servers, {@code redis://host:port} each; one for a single node, or several for a majority of them. */
    public LockClient connect(List<String> nodes) {
        return switch (this) {
            case HOLDFAST -> new HoldfastClient(nodes);
            case RAW -> new RawClient(nodes);
            case BARE_SCRIPTS -> new BareScriptsClient(nodes);
            case REDISSON -> RedissonLockClient.connect(nodes, RedissonLockClient.Kind.PLAIN);
            case REDISSON_FAIR -> RedissonLockClient.connect(nodes, RedissonLockClient.Kind.FAIR);
            case REDISSON_FENCED -> RedissonLockClient.connect(nodes, RedissonLockClient.Kind.FENCED);
            case REDISSON_REDLOCK -> new RedissonRedlockClient(nodes);
            case SPRING -> new SpringClient(nodes);
        };
    }
}
