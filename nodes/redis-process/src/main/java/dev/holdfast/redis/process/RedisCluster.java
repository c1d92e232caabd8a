package dev.holdfast.redis.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Redis Cluster of three masters and a replica of each, with all slots covered. Not thread-safe. */
public final class RedisCluster implements AutoCloseable {

    /** The number of masters. */
    public static final int SHARDS = 3;

    private static final int SLOTS = 16_384;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final RedisProcesses members;
    private final int[] masters = new int[SHARDS];
    private final int[] replicas = new int[SHARDS];

    private RedisCluster(RedisProcesses members) {
        this.members = members;
        for (int shard = 0; shard < SHARDS; shard++) {
            masters[shard] = shard;
            replicas[shard] = SHARDS + shard;
        }
    }

    /** Starts the members and joins them; returns when every member considers the cluster complete. */
    public static RedisCluster start() {
        return start(RedisOptions.defaults());
    }

    /** Starts the cluster; its members have these options. */
    public static RedisCluster start(RedisOptions options) {
        RedisProcesses members = RedisProcesses.start(
                2 * SHARDS,
                number -> options.forNode(number)
                        .declareClean(false)
                        .config(
                                "cluster-enabled yes",
                                "cluster-port " + FreePort.pick(),
                                "cluster-node-timeout 1000",
                                "cluster-replica-validity-factor 0", // allows the promotion of a replica that is behind
                                "cluster-allow-replica-migration no",
                                "cluster-require-full-coverage no",
                                "repl-diskless-sync yes",
                                "repl-diskless-sync-delay 0"));
        RedisCluster cluster = new RedisCluster(members);
        try {
            cluster.join();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void join() {
        for (int shard = 0; shard < SHARDS; shard++) {
            int first = SLOTS * shard / SHARDS;
            int last = SLOTS * (shard + 1) / SHARDS - 1;
            master(shard).send("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
            master(shard).send("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(shard + 1));
        }
        for (RedisProcess member : members) {
            String bus = String.valueOf(((List<?>) required(member, "CONFIG", "GET", "cluster-port")).get(1));
            master(0).send("CLUSTER", "MEET", member.host(), Integer.toString(member.port()), bus);
        }
        awaitEverywhere("cluster_known_nodes:" + members.size());
        for (int shard = 0; shard < SHARDS; shard++) {
            String id = id(master(shard));
            RedisProcess replica = replica(shard);
            Waiting.require(
                    SOON,
                    () -> replica + " does not know " + id,
                    () -> String.valueOf(replica.send("CLUSTER", "NODES")).contains(id));
            replica.send("CLUSTER", "REPLICATE", id);
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            Replication.awaitInSync(replica(shard), master(shard));
        }
        awaitEverywhere("cluster_state:ok");
    }

    private void awaitEverywhere(String line) {
        for (RedisProcess member : members) {
            Waiting.require(
                    SOON,
                    () -> member + " does not say " + line,
                    () -> String.valueOf(member.send("CLUSTER", "INFO")).contains(line));
        }
    }

    private static Object required(RedisProcess member, String... command) {
        Object answer = member.send(command);
        if (answer == null) {
            throw new IllegalStateException(member + " has no answer to " + String.join(" ", command));
        }
        return answer;
    }

    private static String id(RedisProcess member) {
        return String.valueOf(member.send("CLUSTER", "MYID"));
    }

    /** Returns the address {@code redis-cluster://…} with all members. */
    public String uri() {
        List<String> addresses = new ArrayList<>();
        members.forEach(member -> addresses.add(member.host() + ":" + member.port()));
        return "redis-cluster://" + String.join(",", addresses);
    }

    /**
     * Returns the master of a third of the slots, as of the last change that this object made.
     *
     * @param shard from 0
     */
    public RedisProcess master(int shard) {
        return members.node(masters[shard]);
    }

    /** Returns the replica of that master. */
    public RedisProcess replica(int shard) {
        return members.node(replicas[shard]);
    }

    /** Cuts the replica off from its master. The next failover loses every write that the master answers after this. */
    public void fallBehind(int shard) {
        settle(shard);
        Replication.awaitInSync(replica(shard), master(shard));
        Replication.fallBehind(replica(shard));
    }

    /** Kills the master; returns when the other masters have promoted its replica. */
    public void failOver(int shard) {
        master(shard).kill();
        awaitPromotion(shard);
    }

    /**
     * Makes the replica the master without the consent of the others, as an operator may. The old master keeps running
     * and becomes its replica.
     */
    public void takeOver(int shard) {
        replica(shard).send("CLUSTER", "FAILOVER", "TAKEOVER");
        awaitPromotion(shard);
    }

    private void awaitPromotion(int shard) {
        RedisProcess promoted = replica(shard);
        Waiting.require(SOON, () -> promoted + " was not promoted", () -> Replication.isPrimary(promoted));
        Replication.letLogIn(promoted);
        swap(shard);
    }

    /**
     * Starts the old master empty if it was killed. Returns when it replicates from the new one and all members see the
     * cluster as complete.
     */
    public void replace(int shard) {
        if (!replica(shard).isRunning()) {
            replica(shard).restart();
        }
        settle(shard);
        Replication.awaitInSync(replica(shard), master(shard));
        awaitEverywhere("cluster_state:ok");
    }

    /**
     * Waits until one of the two is the master. On a busy machine, the members may consider a slow master dead and
     * promote its replica on their own.
     */
    private void settle(int shard) {
        Waiting.require(
                SOON,
                () -> master(shard) + " and " + replica(shard) + " do not agree which of them is the master",
                () -> Replication.isPrimary(master(shard)) != Replication.isPrimary(replica(shard)));
        if (Replication.isPrimary(replica(shard))) {
            swap(shard);
        }
    }

    private void swap(int shard) {
        int before = masters[shard];
        masters[shard] = replicas[shard];
        replicas[shard] = before;
    }

    @Override
    public void close() {
        members.close();
    }
}
