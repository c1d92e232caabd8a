package dev.holdfast.torture.world;

import dev.holdfast.redis.process.NetworkNamespace;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.torture.client.ClientSettings;
import dev.holdfast.torture.client.ClientSettings.Kind;
import dev.holdfast.torture.client.LockNaming;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The servers, links and clients of one phase, which faults may strike. Thread-safe. */
public final class World implements AutoCloseable {

    private final Servers servers;
    private final Network network;
    private final List<ClientSlot> clients = new ArrayList<>();
    private final Claims serverClaims;
    private final Claims holdfastClaims;
    private final Claims textbookClaims;

    /**
     * The setup of a phase.
     *
     * @param holdfasts the number of processes that use Holdfast
     * @param textbooks the number of processes that use the textbook client
     * @param workers the number of threads of each process
     * @param recipes the share of recipes in a hundred turns of a process that uses Holdfast
     * @param broken the number of processes that use Holdfast and lock at one server only
     * @param quarantineMillis Holdfast's quarantine
     * @param seed the seed of all choices that the clients make
     * @param database the resource's address
     * @param directory the directory for histories and logs
     */
    public record Setup(
            int holdfasts,
            int textbooks,
            int workers,
            int recipes,
            int broken,
            long quarantineMillis,
            long seed,
            String database,
            Path directory) {

        private Kind kind(int client) {
            return client < holdfasts ? Kind.HOLDFAST : Kind.TEXTBOOK;
        }

        private ClientSettings client(int client, int generation, List<String> nodes) {
            String name = LockNaming.client(kind(client), client, generation);
            return new ClientSettings(
                    kind(client),
                    name,
                    directory.resolve(name + ".history"),
                    database,
                    seed + 1000L * client + generation,
                    workers,
                    recipes,
                    quarantineMillis,
                    client < broken ? nodes.subList(0, 1) : nodes);
        }
    }

    /** Creates a world on these servers; it starts no client. */
    public World(Servers servers, Setup setup, HistoryWriter history) {
        this.servers = servers;
        int count = setup.holdfasts() + setup.textbooks();
        this.network = new Network(servers.all(), count);
        this.serverClaims = new Claims(servers.all().size());
        this.holdfastClaims = new Claims(setup.holdfasts());
        this.textbookClaims = new Claims(setup.textbooks());
        for (int i = 0; i < count; i++) {
            int client = i;
            clients.add(new ClientSlot(
                    generation -> setup.client(client, generation, servers.nodes(network.addresses(client))),
                    history,
                    setup.directory()));
        }
    }

    public NodeServer server(int index) {
        return servers.all().get(index);
    }

    /** Returns the servers with these indexes. */
    public List<NodeServer> servers(List<Integer> indexes) {
        return indexes.stream().map(this::server).toList();
    }

    /** Returns a server of a run on Redis servers. */
    public RedisProcess redis(int index) {
        return ((RedisServer) server(index)).process();
    }

    /** Returns the servers with these indexes, of a run on Redis servers. */
    public List<RedisProcess> redis(List<Integer> indexes) {
        return indexes.stream().map(this::redis).toList();
    }

    /** Returns a server of a run on PostgreSQL servers. */
    public PostgresServer postgres(int index) {
        return (PostgresServer) server(index);
    }

    /** Returns the cluster of a run on one. */
    public ClusterServers cluster() {
        return (ClusterServers) servers;
    }

    /** Returns the number of servers that make a majority. */
    public int majority() {
        return servers.all().size() / 2 + 1;
    }

    /** Returns the networks of these servers. */
    public List<NetworkNamespace> networks(List<Integer> indexes) {
        return indexes.stream().map(servers.networks()::get).toList();
    }

    public Network network() {
        return network;
    }

    public ClientSlot client(int index) {
        return clients.get(index);
    }

    /** Returns all clients. */
    public List<ClientSlot> clients() {
        return List.copyOf(clients);
    }

    /** Returns the claims of servers by faults. */
    public Claims serverClaims() {
        return serverClaims;
    }

    /** Claims one client of each kind that exists, drawn at random; waits until some are free. */
    public ClientClaim claimClients(Random random) throws InterruptedException {
        List<Claims.Claim> claims = new ArrayList<>(List.of(holdfastClaims.take(1, random)));
        List<Integer> numbers = new ArrayList<>(List.of(claims.get(0).number()));
        if (textbookClaims.size() > 0) {
            claims.add(textbookClaims.take(1, random));
            numbers.add(holdfastClaims.size() + claims.get(1).number());
        }
        return new ClientClaim(
                claims, numbers, numbers.stream().map(clients::get).toList());
    }

    /** Lets time pass. */
    public void rest(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }

    /** Ends all faults, including those that an interrupted fault has left. */
    public void mend() {
        network.mend();
        servers.mend();
        servers.networks().forEach(NetworkNamespace::pass);
        for (NodeServer server : servers.all()) {
            if (!server.isRunning()) {
                server.restart();
            } else if (server.isPaused()) {
                server.resume();
            }
        }
        clients.forEach(ClientSlot::resume);
    }

    @Override
    public void close() {
        clients.forEach(ClientSlot::close);
        network.close();
    }
}
