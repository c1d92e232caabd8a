package dev.holdfast.torture.world;

import dev.holdfast.Holdfast;
import dev.holdfast.redis.process.ClockShim;
import dev.holdfast.redis.process.NetworkNamespace;
import dev.holdfast.torture.client.LockNaming;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a strict cluster, each a process of {@code holdfast serve --cluster}. If this machine allows it, each has a
 * machine of its own: a network whose packets can be dropped, and a small disk. Otherwise all are on the loopback. Thread-safe.
 */
public final class ClusterServers implements Servers {

    private static final int DISK_MEGABYTES = 256; // for each group, whose log reserves some 70 MB
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration PART_WITHIN = Duration.ofSeconds(60);

    private final Optional<String> noMachines;
    private final Optional<String> noClocks = ClockShim.problem();
    private final @Nullable Lan lan;
    private final int groups;
    private final List<ClusterProcess> servers = new ArrayList<>();

    private ClusterServers(@Nullable Lan lan, Optional<String> noMachines, int groups) {
        this.lan = lan;
        this.groups = groups;
        this.noMachines = noMachines;
    }

    /**
     * Starts this many servers, and waits until one of them leads.
     *
     * @param groups the number of groups of locks
     */
    public static ClusterServers start(int count, int groups, Path directory) throws IOException {
        ClusterServers made = network(groups);
        try {
            made.create(count, directory.toAbsolutePath());
            made.servers.forEach(ClusterProcess::begin);
            made.servers.forEach(ClusterProcess::start);
            made.awaitLeader(START);
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static ClusterServers network(int groups) {
        try {
            return new ClusterServers(Lan.create(), Optional.empty(), groups);
        } catch (IllegalStateException | UncheckedIOException e) {
            return new ClusterServers(null, Optional.of(String.valueOf(e.getMessage())), groups);
        }
    }

    private void create(int count, Path directory) throws IOException {
        List<ClusterProcess.Place> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = String.valueOf((char) ('a' + i));
            Path folder = Files.createDirectories(directory.resolve("server-" + name));
            Path disk = Files.createDirectories(folder.resolve("disk"));
            Machine machine = lan == null ? null : lan.add(disk.toString(), groups * DISK_MEGABYTES);
            places.add(ClusterProcess.Place.of(name, folder, disk, machine));
        }
        PeerKeys keys = PeerKeys.in(directory);
        String list = places.stream().map(ClusterProcess.Place::listed).collect(Collectors.joining(","));
        for (ClusterProcess.Place place : places) {
            servers.add(new ClusterProcess(place, list, groups, keys, noClocks.isEmpty()));
        }
    }

    /** Waits until a server leads, and returns its index. */
    public int awaitLeader(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - end < 0) {
            Optional<Integer> leader = leader();
            if (leader.isPresent()) {
                return leader.get();
            }
            pause();
        }
        throw new IllegalStateException("no server leads within " + patience.toSeconds() + " s");
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the index of the server that leads a group: the first group, in their order, whose last leader runs. Empty if there is none. */
    public Optional<Integer> leader() {
        return IntStream.range(0, groups)
                .mapToObj(this::leader)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Integer> leader(int group) {
        int leader = -1;
        long term = 0;
        for (int i = 0; i < servers.size(); i++) {
            long last = servers.get(i).log().lastTermAsLeader(group);
            if (last > term) {
                term = last;
                leader = i;
            }
        }
        return leader >= 0 && servers.get(leader).isRunning() ? Optional.of(leader) : Optional.empty();
    }

    /** Returns how often a server has begun to lead a group since the start of the run, without the first time of each group. */
    public long leaderChanges() {
        return servers.stream().mapToLong(server -> server.log().timesLeader()).sum() - groups;
    }

    /** Returns the servers. */
    public List<ClusterProcess> processes() {
        return List.copyOf(servers);
    }

    /** Returns a server. */
    public ClusterProcess process(int index) {
        return servers.get(index);
    }

    /** Returns the machines of all servers; empty if this machine allows none. */
    public List<Machine> machines() {
        return servers.stream().flatMap(server -> server.machine().stream()).toList();
    }

    /** Returns the address from which clients reach the servers. */
    public Optional<String> clientAddress() {
        return Optional.ofNullable(lan).map(Lan::host);
    }

    /** Returns the URI of the cluster without links. */
    public String uri() {
        return LockNaming.CLUSTER
                + servers.stream().map(ClusterProcess::clientAddress).collect(Collectors.joining(","));
    }

    @Override
    public List<NodeServer> all() {
        return servers.stream()
                .map(server -> new ClusterMember(this, server))
                .map(NodeServer.class::cast)
                .toList();
    }

    /** Returns the locks that have holders or waiters. */
    List<String> left() {
        awaitLeader(START);
        try (Holdfast client = Holdfast.connect(uri())) {
            List<String> left = new ArrayList<>();
            for (String name : client.admin().list("", 10_000).names()) {
                var status = client.lock(name).status();
                if (!status.holders().isEmpty() || !status.waiters().isEmpty()) {
                    left.add(name);
                }
            }
            return left;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    @Override
    public List<String> nodes(List<String> addresses) {
        return List.of(LockNaming.CLUSTER + String.join(",", addresses));
    }

    @Override
    public List<String> facts() {
        return List.of("leader changes: " + leaderChanges());
    }

    @Override
    public List<String> problems() throws InterruptedException {
        List<String> problems = new ArrayList<>();
        long end = System.nanoTime() + PART_WITHIN.toNanos();
        for (ClusterProcess server : servers) {
            if (server.log().timesDamaged() > 0) {
                problems.add("server " + server.name() + " has found a damaged entry in its log; see "
                        + server.log().file());
            }
            String missing = server.missingPart();
            while (!missing.isEmpty() && System.nanoTime() - end < 0) {
                pause();
                missing = server.missingPart();
            }
            if (!missing.isEmpty()) {
                problems.add("server " + server.name() + " takes no part " + PART_WITHIN.toSeconds()
                        + " s after the last fault: " + missing);
            }
        }
        return problems;
    }

    @Override
    public List<NetworkNamespace> networks() {
        return List.of();
    }

    @Override
    public boolean haveSteppableClocks() {
        return noClocks.isEmpty();
    }

    @Override
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        noClocks.ifPresent(why -> missing.add("Steps of a server's clock, and slow disks: " + why + "."));
        noMachines.ifPresent(why -> missing.add("Partitions between servers, and full disks: " + why + "."));
        return missing;
    }

    @Override
    public void mend() {
        machines().forEach(machine -> {
            machine.join();
            machine.emptyDisk();
        });
        servers.forEach(ClusterProcess::hurryDisk);
    }

    @Override
    public void close() {
        servers.forEach(ClusterProcess::close);
        if (lan != null) {
            lan.close();
        }
    }
}
