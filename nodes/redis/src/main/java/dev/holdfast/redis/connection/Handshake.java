package dev.holdfast.redis.connection;

import dev.holdfast.lock.Persistence;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.redis.script.Reply;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The first exchange on a new connection (PROTOCOL §5). The client asks for the server's identity, its uptime and its role, subscribes to
 * its own pushes, and loads the scripts.
 *
 * <p>Lettuce has already sent HELLO with the credentials and the client's name. Managed servers may refuse INFO or SCRIPT LOAD: the node
 * works without them.
 */
public final class Handshake {

    private static final System.Logger LOG = System.getLogger(Handshake.class.getName());

    /** The latest time, in the year 2242: fences are exact until then. */
    private static final long LATEST_SECONDS = (1L << 33) - 2;

    private final Link link;
    private final RedisAddress address;
    private final String channel;
    private final List<String> warnings = new ArrayList<>();

    public Handshake(Link link, RedisAddress address, String channel) {
        this.link = link;
        this.address = address;
        this.channel = channel;
    }

    /** An error: the client must not use this server. */
    static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /** Greets the server. The stage fails if the connection does, and with {@link RefusedException} if the client must not use the server. */
    public CompletionStage<ServerFacts> greet() {
        CompletableFuture<List<String>> info = allowedToFail(
                        all(Stream.of("server", "replication", "memory", "persistence")
                                .map(link::info)),
                        "INFO",
                        List.of())
                .toCompletableFuture();
        CompletableFuture<Long> time = allowedToFail(
                        link.list(CommandType.TIME), "TIME, which its scripts need", List.<Object>of("0", "0"))
                .thenApply(Handshake::millis)
                .toCompletableFuture();
        CompletionStage<?> subscribed = channelRights();
        CompletionStage<?> loaded =
                allowedToFail(all(LuaScript.OF_A_NODE.stream().map(link::load)), "SCRIPT LOAD", List.of());
        return info.thenCompose(sections -> role(new ServerInfo(sections)))
                .thenCombine(time, (role, ignored) -> role)
                .thenCombine(subscribed, (role, ignored) -> role)
                .thenCombine(loaded, (role, ignored) -> role)
                .thenApply(role -> facts(new ServerInfo(info.join()), role, time.join()));
    }

    /** Checks the rights to the channel. Scripts ignore a missing right to PUBLISH, so the client sends an empty push to itself. */
    private CompletionStage<?> channelRights() {
        CompletionStage<Boolean> subscribe = isAllowed(link.subscribe(channel));
        CompletionStage<Boolean> publish = isAllowed(link.list(CommandType.PUBLISH, channel, ""));
        return subscribe.thenCombine(publish, (mayHear, mayTell) -> {
            if (!mayHear || !mayTell) {
                String what = mayHear ? "PUBLISH" : mayTell ? "SUBSCRIBE" : "SUBSCRIBE and PUBLISH";
                synchronized (warnings) {
                    warnings.add("the server does not allow " + what + " to " + channel
                            + (mayHear ? ", so other clients find" : ", so this client finds")
                            + " grants only by polling");
                }
            }
            return true;
        });
    }

    private static long millis(List<Object> time) {
        Reply reply = new Reply(time);
        long seconds = Math.min(Math.max(reply.number(0), 0), LATEST_SECONDS);
        return seconds * 1000 + Math.floorMod(reply.number(1) / 1000, 1000);
    }

    private CompletionStage<String> role(ServerInfo info) {
        if (address.kind() == RedisAddress.Kind.CLUSTER) {
            return CompletableFuture.completedFuture("master"); // commands go to the master of their slot
        }
        if ("sentinel".equals(info.mode())) {
            return CompletableFuture.completedFuture("sentinel");
        }
        String role = info.role();
        return role != null
                ? CompletableFuture.completedFuture(role)
                : allowedToFail(link.list(CommandType.ROLE), "ROLE", List.of("master"))
                        .thenApply(answer -> new Reply(answer).text(0));
    }

    private ServerFacts facts(ServerInfo info, String role, long timeMillis) {
        if (role.equals("sentinel")) {
            throw new RefusedException("this is a sentinel: name its master, or write redis-sentinel://…?master=name");
        }
        if (!role.equals("master")) {
            throw new RefusedException("this is a replica, whose votes mean nothing: name its master");
        }
        if ("cluster".equals(info.mode()) && address.kind() != RedisAddress.Kind.CLUSTER) {
            warnings.add("the server is a member of a Redis Cluster, but is not addressed by redis-cluster://");
        }
        warnings.addAll(info.warnings());
        String clusterId = link.clusterId();
        if (clusterId != null) {
            ServerFacts.Run run = new ServerFacts.Run(null, timeMillis, timeMillis, timeMillis, false);
            return new ServerFacts(clusterId, info.version(), run, Persistence.UNKNOWN, warnings);
        }
        String runId = info.runId();
        if (runId == null) {
            warnings.add("the server does not report its run id, so the same server under two names goes unnoticed,"
                    + " and every new connection counts as a restart");
        }
        long askedSince = address.kind() == RedisAddress.Kind.SENTINEL ? timeMillis : 0;
        ServerFacts.Run run =
                new ServerFacts.Run(runId, timeMillis, info.startedMillis(timeMillis), askedSince, info.wasReplica());
        String serverId = Objects.requireNonNullElse(runId, address.name());
        return new ServerFacts(serverId, info.version(), run, info.persistence(), warnings);
    }

    /** Continues without a command that the server does not know or does not allow this user; any other error ends the handshake. */
    private <T> CompletionStage<T> allowedToFail(CompletionStage<T> stage, String what, T otherwise) {
        return stage.handle((answer, thrown) -> {
            if (thrown == null) {
                return answer;
            }
            requireForbidden(thrown);
            LOG.log(
                    Level.DEBUG,
                    address + " does not allow " + what + ": "
                            + ServerProblem.of(thrown).reason());
            synchronized (warnings) {
                warnings.add("the server does not allow " + what);
            }
            return otherwise;
        });
    }

    /** Returns whether the server allows the command: any error is a refusal. A sentinel takes no PUBLISH; its role ends the handshake later. */
    private static CompletionStage<Boolean> isAllowed(CompletionStage<?> stage) {
        return stage.handle((answer, thrown) -> {
            if (thrown != null && !ServerProblem.isAnswer(thrown)) {
                requireForbidden(thrown);
            }
            return thrown == null;
        });
    }

    /** Requires that the error is a refusal; any other error ends the handshake. */
    private static void requireForbidden(Throwable thrown) {
        String reason = ServerProblem.of(thrown).reason();
        if (!reason.contains("NOPERM")
                && !reason.contains("unknown command")
                && !reason.contains("unknown subcommand")) {
            throw thrown instanceof CompletionException ended ? ended : new CompletionException(thrown);
        }
    }

    private static <T> CompletionStage<List<T>> all(Stream<CompletionStage<T>> stages) {
        List<CompletableFuture<T>> futures =
                stages.map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
