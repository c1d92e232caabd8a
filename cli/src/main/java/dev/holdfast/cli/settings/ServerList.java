package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.server.client.RemoteAddress;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a cluster in one text, {@code a=host1,b=host2:7420,c=host3:7420:7520}: a name, the host, the port for clients and the port for the other
 * servers.
 *
 * @param servers the servers by name
 */
public record ServerList(Map<String, Server> servers) {

    /** The default port for the other servers is that for clients plus this. */
    public static final int PEER_PORT_OFFSET = 100;

    private static final int LARGEST_PORT = 65_535;
    private static final int MOST_SHOWN = 80;
    private static final Pattern ONE = Pattern.compile("([^=:]+)=([^=:]+)(?::(\\d{1,5}))?(?::(\\d{1,5}))?");

    public ServerList {
        servers = Collections.unmodifiableMap(new TreeMap<>(servers));
    }

    /** One server: its host, its port for clients, and its port for the other servers. */
    public record Server(String host, int port, int peerPort) {}

    /** Reads a list. */
    public static ServerList parse(String text) {
        Map<String, Server> found = new TreeMap<>();
        for (String one : text.split(",", -1)) {
            Matcher parts = ONE.matcher(one.strip());
            if (!parts.matches()) {
                throw Failure.usage("'" + Printable.line(one, MOST_SHOWN) + "' in --servers is not a server; write"
                        + " NAME=HOST, NAME=HOST:PORT or NAME=HOST:PORT:PEERPORT");
            }
            int port = port(parts.group(3), RemoteAddress.DEFAULT_PORT);
            int peerPort = port(parts.group(4), port + PEER_PORT_OFFSET);
            if (found.put(parts.group(1), new Server(parts.group(2), port, peerPort)) != null) {
                throw Failure.usage("--servers has two servers called " + Printable.line(parts.group(1), MOST_SHOWN));
            }
        }
        return new ServerList(found);
    }

    private static int port(@Nullable String text, int usual) {
        int port = text == null ? usual : Integer.parseInt(text);
        if (port < 1 || port > LARGEST_PORT) {
            throw Failure.usage("a port in --servers is " + port + "; it must be from 1 to " + LARGEST_PORT);
        }
        return port;
    }

    /** Returns the addresses for the other servers, by name. */
    public Map<String, String> peers() {
        return map(server -> server.host() + ":" + server.peerPort());
    }

    /**
     * Returns the addresses for clients, by name.
     *
     * @param scheme {@code holdfast} or {@code holdfasts}
     */
    public Map<String, String> uris(String scheme) {
        return map(server -> scheme + "://" + server.host() + ":" + server.port());
    }

    /** Returns the URI of all servers, for clients. */
    public String uri(String scheme) {
        return servers.values().stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(",", scheme + "://", ""));
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return servers.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue().host() + ":"
                        + one.getValue().port() + ":" + one.getValue().peerPort())
                .collect(Collectors.joining(","));
    }

    private Map<String, String> map(Function<Server, String> form) {
        Map<String, String> mapped = new TreeMap<>();
        servers.forEach((name, server) -> mapped.put(name, form.apply(server)));
        return mapped;
    }
}
