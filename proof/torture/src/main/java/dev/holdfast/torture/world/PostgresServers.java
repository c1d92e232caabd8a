package dev.holdfast.torture.world;

import dev.holdfast.redis.process.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The PostgreSQL servers of a run, each with a standby. */
final class PostgresServers implements Servers {

    private final List<PostgresServer> servers;

    private PostgresServers(List<PostgresServer> servers) {
        this.servers = List.copyOf(servers);
    }

    static PostgresServers start(int count, Path directory) throws IOException {
        List<PostgresServer> servers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                servers.add(PostgresServer.start(directory.resolve("node-" + i), directory.resolve("binaries")));
            }
            return new PostgresServers(servers);
        } catch (IOException | RuntimeException e) {
            servers.forEach(PostgresServer::close);
            throw e;
        }
    }

    @Override
    public List<NodeServer> all() {
        return List.copyOf(servers);
    }

    @Override
    public List<NetworkNamespace> networks() {
        return List.of();
    }

    @Override
    public boolean haveSteppableClocks() {
        return false;
    }

    @Override
    public List<String> missing() {
        return List.of("Steps of a server's clock, and loss of packets.");
    }

    @Override
    public void close() {
        servers.forEach(PostgresServer::close);
    }
}
