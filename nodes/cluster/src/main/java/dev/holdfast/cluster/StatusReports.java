package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import dev.holdfast.cluster.ClusterStatus.Condition;
import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.cluster.ClusterStatus.LogPosition;
import dev.holdfast.cluster.ClusterStatus.Member;
import dev.holdfast.cluster.ClusterStatus.Role;
import dev.holdfast.cluster.ClusterStatus.Snapshot;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The reports of members about themselves, and the conclusions of one member from the answers of the others and from their silence. Thread-safe. */
final class StatusReports {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The identity of a server that has not told it yet. */
    private static final int ANY_IDENTITY = 0;

    private static final String TERM = "term";
    private static final String LAST = "last";
    private static final String SNAPSHOT = "snapshot";
    private static final String PROBLEM = "problem";

    private final ClusterConfig config;
    private final DataFolder data;
    private final PeerTraffic traffic;
    private final Ticker ticker;
    private final Self self;
    private final Map<String, String> names = new ConcurrentHashMap<>(); // by address
    private final Map<String, Long> contacts = new ConcurrentHashMap<>(); // by address
    private final Map<String, String> refusals = new ConcurrentHashMap<>(); // by address

    /** The state of the server that reports. */
    interface Self {

        /** Returns this server's node of the engine; null before it runs. */
        @Nullable
        Node node();

        /** Returns the term that this server has reached. */
        long term();

        /** Returns why this server takes no part; an empty text if it does. */
        String problem();
    }

    StatusReports(ClusterConfig config, DataFolder data, PeerTraffic traffic, Ticker ticker, Self self) {
        this.config = config;
        this.data = data;
        this.traffic = traffic;
        this.ticker = ticker;
        this.self = self;
        config.peers().forEach((name, address) -> names.put(address, name));
    }

    /** Returns the name of a member; its address if this server has never heard from it. */
    String nameOf(PeerId peer) {
        return names.getOrDefault(Members.address(peer), Members.address(peer));
    }

    void learnName(String address, String name) {
        names.put(address, name);
    }

    /** Notes that this server has refused another one at this address when that one started. */
    void refused(String address, String reason) {
        refusals.put(address, reason);
    }

    /** Returns the name of the server that leads as far as this server knows. */
    Optional<String> leader() {
        return Optional.ofNullable(self.node()).map(Node::getLeaderId).map(this::nameOf);
    }

    // ---- this server

    /** Returns what this server says of itself. */
    PeerMessage own() {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "cluster",
                config.cluster(),
                "name",
                config.name(),
                "identity",
                "" + data.identity(),
                TERM,
                "" + self.term(),
                PROBLEM,
                self.problem()));
        Node running = self.node();
        if (running != null) {
            LogPosition position = position(running);
            fields.put("leads", "" + running.isLeader());
            fields.put("leader", leader().orElse(""));
            fields.put(LAST, "" + position.last());
            fields.put("committed", "" + position.committed());
            fields.put("applied", "" + position.applied());
            position.snapshot().ifPresent(snapshot -> {
                fields.put(SNAPSHOT, "" + snapshot.index());
                fields.put("age", "" + snapshot.age().toMillis());
                fields.put("bytes", "" + snapshot.bytes());
            });
        }
        return new PeerMessage(fields);
    }

    /** Returns how far the log of this server is; empty before it takes part. */
    Optional<LogPosition> position() {
        return Optional.ofNullable(self.node()).map(this::position);
    }

    private LogPosition position(Node running) {
        return new LogPosition(
                self.term(),
                running.getLastLogIndex(),
                running.getLastCommittedIndex(),
                running.getLastAppliedLogIndex(),
                OptionalLong.empty(),
                data.snapshot(ticker.wallMillis()));
    }

    // ---- the other members

    /** Asks a member, and waits for a second. */
    CompletableFuture<PeerMessage> ask(PeerId peer) {
        return ask(Members.address(peer), PATIENCE);
    }

    /** Asks the server at this address. */
    CompletableFuture<PeerMessage> ask(String address, Duration patience) {
        PeerMessage question = new PeerMessage(Map.of("question", "status", "cluster", config.cluster()));
        return traffic.ask(address, question, patience).thenApply(answer -> {
            names.put(address, answer.get("name"));
            contacts.put(address, ticker.nanos());
            return answer;
        });
    }

    /** The answer of a member, or the reason why there is none. */
    private record Heard(@Nullable PeerMessage answer, String silence) {}

    /** Asks these members, and waits for a second for those that do not answer. Before the cluster is created, it asks the servers of the settings. */
    CompletableFuture<ClusterStatus> of(List<PeerId> members) {
        List<PeerId> known = !members.isEmpty() || self.node() != null
                ? members
                : config.peers().values().stream()
                        .map(address -> Members.peer(address, ANY_IDENTITY))
                        .toList();
        Map<PeerId, CompletableFuture<Heard>> asked = new LinkedHashMap<>();
        for (PeerId peer : known) {
            asked.put(
                    peer,
                    isSelf(peer)
                            ? CompletableFuture.completedFuture(new Heard(own(), ""))
                            : ask(peer)
                                    .handle((answer, failure) ->
                                            new Heard(answer, failure == null ? "" : silence(failure))));
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> status(asked));
    }

    private boolean isSelf(PeerId peer) {
        return Members.address(peer).equals(config.address()) && isOfSameData(peer, data.identity());
    }

    private static boolean isOfSameData(PeerId peer, long identity) {
        return peer.getIdx() == ANY_IDENTITY || peer.getIdx() == identity;
    }

    private String silence(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof InvokeTimeoutException
                ? "no answer within " + PATIENCE.toMillis() + " ms"
                : "no connection: it does not run, or cannot be reached";
    }

    private ClusterStatus status(Map<PeerId, CompletableFuture<Heard>> asked) {
        OptionalLong leaderLast = asked.values().stream()
                .map(CompletableFuture::join)
                .filter(heard ->
                        heard.answer() != null && heard.answer().get("leads").equals("true"))
                .mapToLong(heard -> heard.answer() == null ? 0 : heard.answer().number(LAST))
                .max();
        List<Member> members = asked.entrySet().stream()
                .map(one -> member(one.getKey(), one.getValue().join(), leaderLast))
                .sorted(Comparator.comparing(Member::name))
                .toList();
        return new ClusterStatus(config.cluster(), config.name(), leader(), self.term(), members);
    }

    private Member member(PeerId peer, Heard heard, OptionalLong leaderLast) {
        String address = Members.address(peer);
        PeerMessage answer = heard.answer();
        if (answer == null) {
            String refusal = refusals.getOrDefault(address, "");
            return refusal.isEmpty()
                    ? absent(peer, Health.SILENT, heard.silence())
                    : absent(peer, Health.OTHER_DATA, "refused when it started: " + refusal);
        }
        if (!isOfSameData(peer, answer.number("identity"))) {
            return absent(
                    peer,
                    Health.OTHER_DATA,
                    "it runs with other data; if it has lost its disk, remove it from the cluster, and add it again");
        }
        refusals.remove(address);
        return present(peer, answer, leaderLast);
    }

    private Member absent(PeerId peer, Health health, String detail) {
        Optional<Duration> contact = Optional.ofNullable(contacts.get(Members.address(peer)))
                .map(then -> Duration.ofNanos(ticker.nanos() - then));
        return new Member(
                nameOf(peer),
                Members.address(peer),
                Role.UNKNOWN,
                new Condition(health, detail),
                contact,
                Optional.empty());
    }

    private Member present(PeerId peer, PeerMessage answer, OptionalLong leaderLast) {
        boolean leads = answer.get("leads").equals("true");
        boolean runs = !answer.get(LAST).isEmpty();
        OptionalLong lag = runs && leaderLast.isPresent()
                ? OptionalLong.of(Math.max(leaderLast.getAsLong() - answer.number(LAST), 0))
                : OptionalLong.empty();
        Health health = health(answer, runs, lag);
        return new Member(
                nameOf(peer),
                Members.address(peer),
                !health.takesPart() ? Role.UNKNOWN : leads ? Role.LEADER : Role.FOLLOWER,
                new Condition(health, detail(health, answer, lag)),
                Optional.of(Duration.ZERO),
                runs ? Optional.of(position(answer, lag)) : Optional.empty());
    }

    /** Returns the health of a member that has answered. */
    static Health health(PeerMessage answer, boolean runs, OptionalLong lag) {
        if (!runs) {
            return Health.STARTING;
        }
        if (!answer.get(PROBLEM).isEmpty()) {
            return Health.STOPPED;
        }
        if (answer.get("leader").isEmpty()) {
            return Health.WITHOUT_LEADER;
        }
        return lag.orElse(0) > Health.MOST_LAG ? Health.BEHIND : Health.WELL;
    }

    private static String detail(Health health, PeerMessage answer, OptionalLong lag) {
        return switch (health) {
            case STARTING, STOPPED -> answer.get(PROBLEM).isEmpty() ? "it takes no part yet" : answer.get(PROBLEM);
            case WITHOUT_LEADER -> "it knows no leader";
            case BEHIND -> "it lacks " + lag.orElse(0) + " entries of the leader's log";
            default -> answer.get("leads").equals("true") ? "it leads" : "it follows server " + answer.get("leader");
        };
    }

    private static LogPosition position(PeerMessage answer, OptionalLong lag) {
        return new LogPosition(
                answer.number(TERM),
                answer.number(LAST),
                answer.number("committed"),
                answer.number("applied"),
                lag,
                answer.get(SNAPSHOT).isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Snapshot(
                                answer.number(SNAPSHOT),
                                Duration.ofMillis(answer.number("age")),
                                answer.number("bytes"))));
    }
}
