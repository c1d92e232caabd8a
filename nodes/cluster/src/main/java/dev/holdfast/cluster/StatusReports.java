package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import dev.holdfast.cluster.ClusterStatus.Condition;
import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.cluster.ClusterStatus.LogPosition;
import dev.holdfast.cluster.ClusterStatus.Member;
import dev.holdfast.cluster.ClusterStatus.Part;
import dev.holdfast.cluster.ClusterStatus.Role;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reports of members about themselves, and the conclusions of one member from the answers of the others and from their silence. Thread-safe. */
final class StatusReports {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The identity of a server that has not told it yet. */
    private static final int ANY_IDENTITY = 0;

    /** The server's own address for the others. Earlier releases do not send it. */
    static final String ADDRESS = "address";

    private static final String TERM = "term";
    private static final String LAST = "last";
    private static final String SNAPSHOT = "snapshot";
    private static final String PROBLEM = "problem";
    private static final String LEADS = "leads";
    private static final String LEADER = "leader";
    private static final String STOPPED = "stopped";

    /** Whether the server should get no lead: it stops soon, or clients cannot reach it yet. */
    static final String LEAVES = "leaves";

    private final ClusterConfig config;
    private final DataFolder data;
    private final PeerTraffic traffic;
    private final Ticker ticker;
    private final List<Group> groups;
    private final Map<String, String> names = new ConcurrentHashMap<>(); // by address
    private final Map<String, Long> contacts = new ConcurrentHashMap<>(); // by address
    private final Map<String, String> refusals = new ConcurrentHashMap<>(); // by address
    private volatile boolean leaves;
    private volatile boolean reachable = true;

    /**
     * Creates the reports of a server.
     *
     * @param groups the groups of this server
     */
    StatusReports(ClusterConfig config, DataFolder data, PeerTraffic traffic, Ticker ticker, List<Group> groups) {
        this.config = config;
        this.data = data;
        this.traffic = traffic;
        this.ticker = ticker;
        this.groups = List.copyOf(groups);
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

    /** Notes that this server stops soon, so that the others give it no lead. */
    void leave() {
        leaves = true;
    }

    /** Notes whether clients can reach this server. As long as they cannot, the others give it no lead. */
    void setReachable(boolean now) {
        reachable = now;
    }

    /** Returns the name of the server that leads a group as far as this server knows. */
    Optional<String> leader(Group group) {
        return group.leader().map(this::nameOf);
    }

    // ---- this server

    /** Returns what this server says of itself. */
    PeerMessage own() {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "cluster",
                config.cluster(),
                "name",
                config.name(),
                ADDRESS,
                config.address(),
                "identity",
                "" + data.identity(),
                "groups",
                "" + config.groups(),
                LEAVES,
                "" + (leaves || !reachable)));
        groups.forEach(group -> own(group)
                .forEach((field, value) -> fields.put(PeerMessage.mark(field, group.index(), config.groups()), value)));
        return new PeerMessage(fields);
    }

    private Map<String, String> own(Group group) {
        Map<String, String> fields = new HashMap<>(Map.of(TERM, "" + group.term(), PROBLEM, group.problem()));
        Node running = group.node();
        if (running != null) {
            fields.put(LEADS, "" + running.isLeader());
            fields.put(LEADER, leader(group).orElse(""));
            Optional<LogPosition> known = position(group, running);
            fields.put(STOPPED, "" + known.isEmpty());
            known.ifPresent(position -> put(position, fields));
        }
        return fields;
    }

    private static void put(LogPosition position, Map<String, String> fields) {
        fields.put(LAST, "" + position.last());
        fields.put("committed", "" + position.committed());
        fields.put("applied", "" + position.applied());
        position.snapshot().ifPresent(snapshot -> {
            fields.put(SNAPSHOT, "" + snapshot.index());
            fields.put("age", "" + snapshot.age().toMillis());
            fields.put("bytes", "" + snapshot.bytes());
        });
    }

    /** Returns how far the logs of this server are; empty before it takes part, and once the engine has stopped one of its replicas. */
    Optional<LogPosition> position() {
        List<LogPosition> positions = new ArrayList<>();
        for (Group group : groups) {
            Node running = group.node();
            Optional<LogPosition> position = running == null ? Optional.empty() : position(group, running);
            if (position.isEmpty()) {
                return Optional.empty();
            }
            positions.add(position.get());
        }
        return Optional.of(LogPosition.sum(positions));
    }

    /** Returns how far the log of a replica is; empty once the engine has stopped the replica. */
    private Optional<LogPosition> position(Group group, Node running) {
        try {
            return Optional.of(new LogPosition(
                    group.term(),
                    running.getLastLogIndex(),
                    running.getLastCommittedIndex(),
                    running.getLastAppliedLogIndex(),
                    OptionalLong.empty(),
                    data.snapshot(group.index(), ticker.wallMillis())));
        } catch (IllegalStateException e) { // the engine's answer for a replica that has stopped
            return Optional.empty();
        }
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
        List<PeerId> known = !members.isEmpty() || groups.get(0).node() != null
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
                : PeerTraffic.distrust(failure).orElse("no connection: it does not run, or cannot be reached");
    }

    private ClusterStatus status(Map<PeerId, CompletableFuture<Heard>> asked) {
        Map<PeerId, Heard> heard = new LinkedHashMap<>();
        asked.forEach((peer, answer) -> heard.put(peer, answer.join()));
        List<OptionalLong> leaderLasts =
                groups.stream().map(group -> leaderLast(group, heard.values())).toList();
        List<Member> members = heard.entrySet().stream()
                .map(one -> member(one.getKey(), one.getValue(), leaderLasts))
                .sorted(Comparator.comparing(Member::name))
                .toList();
        return new ClusterStatus(
                config.cluster(),
                config.name(),
                groups.stream().map(this::status).toList(),
                members);
    }

    private ClusterStatus.Group status(Group group) {
        Node running = group.node();
        Optional<LogPosition> position = running == null ? Optional.empty() : position(group, running);
        return new ClusterStatus.Group(
                group.index(),
                leader(group),
                group.term(),
                position.map(LogPosition::committed).orElse(0L));
    }

    /** Returns the last entry of the leader of a group; empty if it has not answered. */
    private OptionalLong leaderLast(Group group, Collection<Heard> all) {
        return all.stream()
                .flatMap(heard -> Optional.ofNullable(heard.answer()).stream())
                .map(answer -> group.part(answer))
                .filter(StatusReports::leads)
                .mapToLong(answer -> answer.number(LAST))
                .max();
    }

    /** Returns whether the sender of this message leads the group that it is about. */
    static boolean leads(PeerMessage ofGroup) {
        return ofGroup.get(LEADS).equals("true");
    }

    private Member member(PeerId peer, Heard heard, List<OptionalLong> leaderLasts) {
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
        return present(peer, answer, leaderLasts);
    }

    private Member absent(PeerId peer, Health health, String detail) {
        Optional<Duration> contact = Optional.ofNullable(contacts.get(Members.address(peer)))
                .map(then -> Duration.ofNanos(ticker.nanos() - then));
        return new Member(
                nameOf(peer),
                Members.address(peer),
                new Part(Role.UNKNOWN, List.of()),
                new Condition(health, detail),
                contact,
                Optional.empty());
    }

    private Member present(PeerId peer, PeerMessage answer, List<OptionalLong> leaderLasts) {
        List<GroupReport> reports = groups.stream()
                .map(group -> GroupReport.of(group.index(), group.part(answer), leaderLasts.get(group.index())))
                .toList();
        GroupReport worst =
                reports.stream().max(Comparator.comparing(GroupReport::health)).orElseThrow();
        List<Integer> led = reports.stream()
                .filter(GroupReport::leads)
                .map(GroupReport::index)
                .toList();
        Part part = !worst.health().takesPart()
                ? new Part(Role.UNKNOWN, List.of())
                : new Part(led.isEmpty() ? Role.FOLLOWER : Role.LEADER, led);
        boolean runs = reports.stream().allMatch(GroupReport::runs);
        return new Member(
                nameOf(peer),
                Members.address(peer),
                part,
                new Condition(worst.health(), detail(worst, led)),
                Optional.of(Duration.ZERO),
                runs
                        ? Optional.of(LogPosition.sum(
                                reports.stream().map(GroupReport::position).toList()))
                        : Optional.empty());
    }

    private String detail(GroupReport worst, List<Integer> led) {
        if (groups.size() == 1 || worst.health() == Health.STARTING) {
            return worst.detail();
        }
        if (worst.health() != Health.WELL) {
            return "group " + worst.index() + ": " + worst.detail();
        }
        String list = led.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return switch (led.size()) {
            case 0 -> "it leads no group";
            case 1 -> "it leads group " + list;
            default -> "it leads the groups " + list;
        };
    }
}
