package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The servers of a ZooKeeper ensemble, with the times of its sample configuration. Many clients may come from one
 * address, and there is no server for administrators.
 */
public final class ZooKeeperServers implements ServerKind {

    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    private final List<Integer> ports = ports();
    private final List<Integer> peerPorts = ports();
    private final List<Integer> electionPorts = ports();

    private static List<Integer> ports() {
        return IntStream.range(0, Trio.SERVERS).mapToObj(any -> FreePort.pick()).toList();
    }

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public List<String> nodes() {
        return ports.stream().map(port -> "127.0.0.1:" + port).toList();
    }

    @Override
    public ProcessBuilder command(int index, Path data) throws IOException {
        StringBuilder settings = new StringBuilder("tickTime=2000\ninitLimit=10\nsyncLimit=5\n");
        settings.append("dataDir=").append(data).append('\n');
        settings.append("clientPortAddress=127.0.0.1\nclientPort=")
                .append(ports.get(index))
                .append('\n');
        settings.append("maxClientCnxns=0\nadmin.enableServer=false\n");
        for (int i = 0; i < Trio.SERVERS; i++) {
            settings.append("server.").append(i).append("=127.0.0.1:").append(peerPorts.get(i));
            settings.append(':').append(electionPorts.get(i)).append('\n');
        }
        Path file = data.resolve("zoo.cfg");
        Files.writeString(file, settings);
        Files.writeString(data.resolve("myid"), index + "\n");
        return TrioMember.java(List.of("-Dzookeeper.jmx.log4j.disable=true"), MAIN, List.of(file.toString()));
    }

    @Override
    public Part part(int index) throws IOException {
        String said = Probe.say(ports.get(index), "srvr");
        return said.contains("Mode: leader") ? Part.LEADS : said.contains("Mode: follower") ? Part.FOLLOWS : Part.NONE;
    }
}
