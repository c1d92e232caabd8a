package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The members of an etcd cluster, with default settings. The program comes from the {@code PATH}. */
public final class EtcdServers implements ServerKind {

    private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"([0-9]+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"([1-9][0-9]*)\"");

    private final List<String> clients = addresses();
    private final List<String> peers = addresses();

    private static List<String> addresses() {
        return IntStream.range(0, Trio.SERVERS)
                .mapToObj(any -> "http://127.0.0.1:" + FreePort.pick())
                .toList();
    }

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public List<String> nodes() {
        return clients;
    }

    @Override
    public ProcessBuilder command(int index, Path data) {
        String cluster = IntStream.range(0, Trio.SERVERS)
                .mapToObj(i -> "m" + i + "=" + peers.get(i))
                .collect(Collectors.joining(","));
        return new ProcessBuilder(
                "etcd",
                "--name=m" + index,
                "--data-dir=" + data.resolve("data"),
                "--listen-client-urls=" + clients.get(index),
                "--advertise-client-urls=" + clients.get(index),
                "--listen-peer-urls=" + peers.get(index),
                "--initial-advertise-peer-urls=" + peers.get(index),
                "--initial-cluster=" + cluster);
    }

    @Override
    public Part part(int index) throws IOException {
        int port = Integer.parseInt(clients.get(index).replaceAll(".*:", ""));
        String status = Probe.post(port, "/v3/maintenance/status");
        Matcher member = MEMBER.matcher(status);
        Matcher leader = LEADER.matcher(status);
        if (!member.find() || !leader.find()) {
            return Part.NONE;
        }
        return member.group(1).equals(leader.group(1)) ? Part.LEADS : Part.FOLLOWS;
    }
}
