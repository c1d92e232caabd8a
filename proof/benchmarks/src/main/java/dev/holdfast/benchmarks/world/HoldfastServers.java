package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The servers of a strict cluster of Holdfast: {@code holdfast serve --cluster}, with default settings. */
public final class HoldfastServers implements ServerKind {

    private static final String MAIN = "dev.holdfast.cli.Main";
    private static final String LEADS = "\nholdfast_server_cluster_leads 1.0";
    private static final String FOLLOWS = "\nholdfast_server_cluster_leader_known 1.0";

    private final List<Integer> ports =
            IntStream.range(0, Trio.SERVERS).mapToObj(any -> FreePort.pick()).toList();
    private final List<Integer> peerPorts =
            IntStream.range(0, Trio.SERVERS).mapToObj(any -> FreePort.pick()).toList();

    @Override
    public String name() {
        return "holdfast";
    }

    @Override
    public List<String> nodes() {
        return List.of(
                "holdfast://" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",")));
    }

    @Override
    public ProcessBuilder command(int index, Path data) {
        Path folder = data.resolve("data");
        String servers = IntStream.range(0, Trio.SERVERS)
                .mapToObj(i -> letter(i) + "=127.0.0.1:" + ports.get(i) + ":" + peerPorts.get(i))
                .collect(Collectors.joining(","));
        List<String> arguments = new ArrayList<>(List.of("serve", "--cluster", "benchmarks"));
        arguments.addAll(List.of("--name", letter(index), "--servers", servers, "--data", folder.toString()));
        if (!Files.exists(folder.resolve("cluster"))) {
            arguments.add("--create");
        }
        return TrioMember.java(List.of(), MAIN, arguments);
    }

    private static String letter(int index) {
        return String.valueOf((char) ('a' + index));
    }

    @Override
    public Part part(int index) throws IOException {
        String metrics = Probe.get(ports.get(index), "/metrics");
        return metrics.contains(LEADS) ? Part.LEADS : metrics.contains(FOLLOWS) ? Part.FOLLOWS : Part.NONE;
    }
}
