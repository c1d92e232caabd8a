package dev.holdfast.server.node;

import dev.holdfast.server.message.Json;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster as one of its servers sees it.
 *
 * @param cluster the name of the cluster
 * @param server the name of the server that made this view
 * @param leader the name of the server that leads; empty if this server knows of none
 * @param term the term that this server has reached; each election begins another one
 * @param servers all servers that take part
 */
public record ClusterView(String cluster, String server, Optional<String> leader, long term, List<Member> servers) {

    public ClusterView {
        servers = List.copyOf(servers);
    }

    /**
     * One server that takes part.
     *
     * @param name its name
     * @param address its address for the other servers
     * @param uri its address for clients; empty if this server was not told
     * @param role its part: leader, follower or unknown
     * @param contactMillis how long ago it last answered this server, in ms; empty if it never has
     * @param log its position in the log; empty if it does not answer
     */
    public record Member(
            String name,
            String address,
            Optional<String> uri,
            String role,
            Optional<Long> contactMillis,
            Optional<Position> log) {}

    /** A position in the log, by the index of the last entry of each kind; the age of the last snapshot is in ms. */
    public record Position(long last, long committed, long applied, long snapshot, Optional<Long> snapshotAgeMillis) {}

    /** The changes of a cluster that an operator asks for. Each completes with an empty text, or with the reason why nothing was changed. */
    public interface Changes {
        CompletionStage<String> add(String name, String address);

        CompletionStage<String> remove(String server);

        CompletionStage<String> transfer(String server);
    }

    /** Returns the answer to a client. */
    public ObjectNode json() {
        ObjectNode object = Json.object().put("cluster", cluster).put("server", server);
        leader.ifPresent(name -> object.put("leader", name));
        object.put("term", term);
        ArrayNode array = object.putArray("servers");
        servers.forEach(member -> put(array.addObject(), member));
        return object;
    }

    private static void put(ObjectNode object, Member member) {
        object.put("name", member.name).put("address", member.address);
        member.uri.ifPresent(uri -> object.put("uri", uri));
        object.put("role", member.role);
        member.contactMillis.ifPresent(millis -> object.put("contactMillis", millis));
        member.log.ifPresent(log -> {
            object.put("lastIndex", log.last)
                    .put("committedIndex", log.committed)
                    .put("appliedIndex", log.applied)
                    .put("snapshotIndex", log.snapshot);
            log.snapshotAgeMillis.ifPresent(millis -> object.put("snapshotAgeMillis", millis));
        });
    }
}
