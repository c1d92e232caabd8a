package dev.holdfast.cluster;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The creation of a cluster: all of its servers learn each other's identities, and persist them, before one of them votes. So a server that loses its disk
 * later is recognized by any of the others, however few of them run. Thread-safe.
 */
final class Founding {

    private static final System.Logger LOG = System.getLogger(Founding.class.getName());
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long a server waits for another one that does not refuse the connection, before it retries. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String PROBLEM = "problem";

    /** The name of the cluster's mark in answers. A server that does not know it yet sends an empty text. */
    private static final String MARK = "mark";

    /** The name of the number of groups in messages between servers. Releases without groups do not send it. */
    private static final String GROUPS = "groups";

    private final ClusterConfig config;
    private final DataFolder data;
    private final PeerTraffic traffic;
    private final Timing timing;
    private final Runnable complete;
    private final SortedMap<String, String> founders;
    private final Set<String> informed =
            ConcurrentHashMap.newKeySet(); // those that have persisted this server's identity
    private final Map<String, String> distrusts = new ConcurrentHashMap<>(); // why others have no TLS connection
    private boolean ended;
    private @Nullable String problem;

    /**
     * Creates the procedure without starting it.
     *
     * @param complete runs once, when this server may start to vote
     */
    Founding(ClusterConfig config, DataFolder data, PeerTraffic traffic, Timing timing, Runnable complete) {
        this.config = config;
        this.data = data;
        this.traffic = traffic;
        this.timing = timing;
        this.complete = complete;
        this.founders = data.founders();
    }

    /**
     * Starts this server if it may start, and otherwise continues to ask the other servers in the background.
     *
     * @throws HoldfastException if another server refuses this one
     */
    void begin() {
        if (!data.isAccepted()) {
            round();
        }
        String found;
        synchronized (this) {
            found = problem;
            ended |= found != null;
        }
        if (found != null) {
            throw new HoldfastException(found);
        }
        advance();
    }

    /** Stops asking. */
    synchronized void end() {
        ended = true;
    }

    /**
     * Returns the name of the cluster with a mark that no other cluster of this name has, such as {@code shop#3f9a21c4}; only the name while this server does
     * not know the mark.
     */
    String clusterId() {
        return data.clusterMark().map(mark -> config.cluster() + "#" + mark).orElse(config.cluster());
    }

    /** Returns the reason why this server does not take part. */
    String waitsFor() {
        synchronized (this) {
            if (problem != null) {
                return problem;
            }
        }
        List<String> missing = config.peers().keySet().stream()
                .filter(peer -> !peer.equals(config.name()) && !informed.contains(peer))
                .map(peer -> distrusts.containsKey(peer) ? peer + " (" + distrusts.get(peer) + ")" : peer)
                .toList();
        return founders.isEmpty()
                ? "server " + config.name() + " has not heard yet which cluster it joins, from "
                        + String.join(" or ", missing)
                : "the cluster is not created yet: server " + config.name() + " has not heard from "
                        + String.join(" and ", missing);
    }

    /** Returns the members with which the cluster begins; none for a server that joins. */
    Configuration members() {
        Configuration members = new Configuration();
        founders.forEach((peer, address) ->
                members.addPeer(Members.peer(address, identityOf(peer).orElseThrow())));
        return members;
    }

    private Optional<Integer> identityOf(String peer) {
        return peer.equals(config.name()) ? Optional.of(data.identity()) : data.identityOf(peer);
    }

    /**
     * Returns whether all other servers have persisted the identity of this one. Only their answers show that: a server that has asked may never have
     * received the answer. A server that joins needs only the mark of the cluster, if its settings name a server that can tell it.
     */
    private boolean isComplete() {
        return founders.isEmpty()
                ? data.clusterMark().isPresent() || config.peers().size() == 1
                : founders.keySet().stream().allMatch(peer -> peer.equals(config.name()) || informed.contains(peer));
    }

    private void advance() {
        synchronized (this) {
            if (ended) {
                return;
            }
            if (!data.isAccepted() && !isComplete()) {
                timing.scheduler()
                        .schedule(RETRY_NANOS, () -> timing.scheduler().execute(this::again));
                return;
            }
            ended = true;
        }
        try {
            if (!data.isAccepted()) {
                data.accepted();
            }
        } catch (IOException e) {
            throw new HoldfastException(
                    "server " + config.name() + " cannot write its data folder: " + FileReason.of(e));
        }
        complete.run();
    }

    private void again() {
        synchronized (this) {
            if (ended) {
                return;
            }
        }
        try {
            begin();
        } catch (HoldfastException e) {
            LOG.log(Level.ERROR, "Server {0} does not start: {1}", config.name(), e.getMessage());
        }
    }

    /** Asks all other servers at the same time, and waits for their answers. */
    private void round() {
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        config.peers().forEach((peer, address) -> {
            if (!peer.equals(config.name())) {
                asked.add(traffic.ask(address, hello(), PATIENCE)
                        .thenAccept(answer -> heard(peer, answer))
                        .exceptionally(failure -> noted(peer, failure)));
            }
        });
        asked.forEach(CompletableFuture::join);
    }

    /** Notes why a server does not answer, if there is more to say than that it does not run yet. */
    private @Nullable Void noted(String peer, Throwable failure) {
        PeerTraffic.distrust(failure).ifPresentOrElse(why -> distrusts.put(peer, why), () -> distrusts.remove(peer));
        return null;
    }

    private PeerMessage hello() {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "question",
                "hello",
                "cluster",
                config.cluster(),
                "name",
                config.name(),
                "address",
                config.address(),
                "identity",
                "" + data.identity(),
                GROUPS,
                "" + config.groups()));
        if (!founders.isEmpty()) {
            fields.put("founders", founders.toString());
        }
        return new PeerMessage(fields);
    }

    private void heard(String peer, PeerMessage answer) {
        String found = answer.get(PROBLEM);
        if (found.isEmpty()) {
            found = differenceOf(answer, config); // a release without groups does not compare them
        }
        if (found.isEmpty() && founders.containsKey(peer)) {
            found = learn(peer, (int) answer.number("identity"));
        } else if (found.isEmpty() && founders.isEmpty() && !answer.get(MARK).isEmpty()) {
            found = join(peer, answer.get(MARK));
        }
        if (found.isEmpty()) {
            informed.add(peer);
        }
        if (!found.isEmpty()) {
            synchronized (this) {
                problem = found;
            }
        }
    }

    /** Returns an empty text, or the reason why this identity of a founder is wrong. */
    private String learn(String peer, int identity) {
        try {
            return data.learn(peer, identity) ? "" : lost(peer, config.name());
        } catch (IOException e) {
            return "server " + config.name() + " cannot write its data folder: " + e;
        }
    }

    /** Returns an empty text, or the reason why this server cannot join the cluster of another one. */
    private String join(String peer, String mark) {
        try {
            return data.join(mark)
                    ? ""
                    : "server " + peer + " belongs to another cluster of the name '" + config.cluster() + "' than "
                            + clusterId() + ", which server " + config.name() + " joins";
        } catch (IOException e) {
            return "server " + config.name() + " cannot write its data folder: " + e;
        }
    }

    private static String lost(String peer, String by) {
        return "server " + by + " knows server " + peer + " with other data. If server " + peer
                + " has lost its disk, remove it from the cluster, and add it again."
                + " If the cluster was never in use, empty the data folders of all servers.";
    }

    /**
     * Answers another server that starts.
     *
     * @param members the present members of the cluster, as far as this server knows
     */
    PeerMessage answer(PeerMessage hello, List<PeerId> members) {
        return new PeerMessage(Map.of(
                "cluster",
                config.cluster(),
                "name",
                config.name(),
                "identity",
                "" + data.identity(),
                GROUPS,
                "" + config.groups(),
                MARK,
                data.clusterMark().orElse(""),
                PROBLEM,
                problemOf(hello, members)));
    }

    private String problemOf(PeerMessage hello, List<PeerId> members) {
        String peer = hello.get("name");
        if (!hello.get("cluster").equals(config.cluster())) {
            return "server " + config.name() + " at " + config.address() + " belongs to cluster '" + config.cluster()
                    + "', not to '" + hello.get("cluster") + "'";
        }
        String difference = differenceOf(hello, config);
        if (!difference.isEmpty()) {
            return difference;
        }
        int identity = (int) hello.number("identity");
        if (members.stream().anyMatch(member -> isOther(member, hello.get("address"), identity))) {
            return lost(peer, config.name());
        }
        String its = hello.get("founders");
        if (its.isEmpty()) {
            return "";
        }
        if (!founders.containsKey(peer)) {
            return "the cluster exists already, and server " + peer + " is not one of those that created it."
                    + " Start it as one that joins, and add it to the cluster.";
        }
        if (!its.equals(founders.toString())) {
            return "server " + config.name() + " creates the cluster with the servers " + founders + ", and server "
                    + peer + " with " + its + "; all of them need the same ones, and empty data folders";
        }
        return learn(peer, identity);
    }

    /** Returns how the groups of another server differ from those of this one, from a message of the other server; an empty text if they are the same. */
    static String differenceOf(PeerMessage message, ClusterConfig config) {
        long its = Math.max(message.number(GROUPS), 1);
        return its == config.groups()
                ? ""
                : "server " + config.name() + " divides the locks into " + inWords(config.groups()) + ", and server "
                        + message.get("name") + " into " + inWords(its) + "; all servers need the same number";
    }

    /** Returns the number of groups with its noun. */
    static String inWords(long groups) {
        return groups == 1 ? "1 group" : groups + " groups";
    }

    private static boolean isOther(PeerId member, String address, int identity) {
        return member.getEndpoint().toString().equals(address) && member.getIdx() != identity;
    }
}
