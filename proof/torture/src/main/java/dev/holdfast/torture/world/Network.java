package dev.holdfast.torture.world;

import dev.holdfast.testkit.redis.TcpProxy;
import java.util.ArrayList;
import java.util.List;

/** The links between clients and servers: one from every client to every server. Thread-safe. */
public final class Network implements AutoCloseable {

    private final List<List<TcpProxy>> links = new ArrayList<>();
    private final List<NodeServer> servers;

    Network(List<NodeServer> servers, int clients) {
        this.servers = List.copyOf(servers);
        for (int client = 0; client < clients; client++) {
            List<TcpProxy> ofClient = new ArrayList<>();
            servers.forEach(server -> ofClient.add(server.link()));
            links.add(ofClient);
        }
    }

    /** Returns the addresses that a client uses for the servers. */
    List<String> addresses(int client) {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            addresses.add(servers.get(i).address(links.get(client).get(i)));
        }
        return addresses;
    }

    /** Returns one client's links to all servers. */
    public List<TcpProxy> ofClient(int client) {
        return links.get(client);
    }

    /** Returns all clients' links to one server. */
    public List<TcpProxy> toServer(int server) {
        return links.stream().map(ofClient -> ofClient.get(server)).toList();
    }

    /** Returns all clients' links to these servers. */
    public List<TcpProxy> toServers(List<Integer> servers) {
        return servers.stream().flatMap(server -> toServer(server).stream()).toList();
    }

    /** Ends all faults: every link passes all bytes again. */
    public void mend() {
        links.forEach(ofClient -> ofClient.forEach(TcpProxy::pass));
    }

    @Override
    public void close() {
        links.forEach(ofClient -> ofClient.forEach(TcpProxy::close));
    }
}
