package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The latest breaks of leases, for all servers in front of the same nodes. The notices are the value of a lock that no client can use. A server that breaks a
 * lease appends a notice, and each server reads the notices four times a second. Thread-safe.
 *
 * <p>A notice only informs. The nodes have already executed the break, and a holder that misses the notice learns of it at its next extension.
 */
public final class BreakNotices implements AutoCloseable {

    private static final System.Logger LOG = ServerLogger.get();

    private static final long PERIOD_NANOS = 250_000_000L;
    private static final int MOST_KNOWN = 1_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final Holdfast holdfast;
    private final Timing timing;
    private final Consumer<Notice> listener;
    private final long madeAtMillis;

    /** The latest notices that the listener has received, or that are older than this server. */
    private final Set<Notice> known = new LinkedHashSet<>();

    private boolean looked;
    private @Nullable Timer timer;
    private boolean closed;

    /**
     * A break of a lease.
     *
     * @param operator the token's name, or the address, of the client that broke it
     * @param reason the client's reason
     * @param atMillis the time of the break, in ms of the wall clock of the server that broke the lease
     */
    public record Notice(String lock, long token, String operator, String reason, long atMillis) {

        private ObjectNode json() {
            return Json.object()
                    .put("lock", lock)
                    .put("token", token)
                    .put("operator", operator)
                    .put("reason", reason)
                    .put("at", atMillis);
        }

        private static Notice of(JsonNode json) {
            return new Notice(
                    json.path("lock").asString(""),
                    json.path("token").asLong(0),
                    json.path("operator").asString(""),
                    json.path("reason").asString(""),
                    json.path("at").asLong(0));
        }
    }

    /**
     * Creates an instance that has read no notices yet.
     *
     * @param listener receives each notice once, on a worker, including those of its own server
     */
    public BreakNotices(Holdfast holdfast, Timing timing, Consumer<Notice> listener) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.listener = listener;
        this.madeAtMillis = timing.ticker().wallMillis();
    }

    /** Starts to read the notices, at once and then four times a second. */
    public void start() {
        look();
    }

    private synchronized void lookLater() {
        if (!closed) {
            timer = timing.scheduler().schedule(PERIOD_NANOS, this::look);
        }
    }

    private void look() {
        try {
            holdfast.admin().statusAsync(ServersLocks.BREAKS).whenComplete((status, failure) -> {
                try {
                    if (failure == null) {
                        learn(status);
                    }
                } finally {
                    lookLater();
                }
            });
        } catch (HoldfastException e) {
            LOG.log(Level.DEBUG, "Breaks can't be read any more", e); // the client is closed
        }
    }

    private void learn(LockStatus status) {
        if (status.hasQuorum()) {
            fresh(parsed(status.value().orElse(""))).forEach(listener);
        }
    }

    /** Returns the notices that are new to this server. The notices of the first reading are older than this server, unless their time says otherwise. */
    private synchronized List<Notice> fresh(List<Notice> read) {
        List<Notice> fresh = new ArrayList<>();
        for (Notice notice : read) {
            if (remember(notice) && (looked || notice.atMillis() >= madeAtMillis)) {
                fresh.add(notice);
            }
        }
        looked = true;
        return fresh;
    }

    private synchronized boolean remember(Notice notice) {
        boolean isNew = known.add(notice);
        if (known.size() > MOST_KNOWN) {
            known.remove(known.iterator().next());
        }
        return isNew;
    }

    /**
     * Notifies this server at once, and then the others. Blocks for some round trips.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; then the other servers may miss the notice
     */
    public void publish(String lock, long token, String operator, String reason) throws InterruptedException {
        Notice notice =
                new Notice(lock, token, operator, reason, timing.ticker().wallMillis());
        remember(notice);
        listener.accept(notice);
        append(holdfast, notice);
    }

    /**
     * Notifies the servers in front of these nodes of a break that no server has executed. Does nothing if there is no such server. Blocks for some round trips.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; then the servers may miss the notice
     */
    public static void publish(Holdfast holdfast, String lock, long token, String reason) throws InterruptedException {
        LockStatus keys = holdfast.admin().status(ServersLocks.KEYS);
        boolean haveServers = keys.value().isPresent()
                || keys.nodes().stream().anyMatch(node -> node.node().startsWith("holdfast"));
        if (haveServers) {
            String client = holdfast.client();
            String operator = client.substring(0, client.indexOf('~'));
            append(
                    holdfast,
                    new Notice(lock, token, operator, reason, Ticker.system().wallMillis()));
        }
    }

    private static void append(Holdfast holdfast, Notice notice) throws InterruptedException {
        try (Lease lease = holdfast.lock(ServersLocks.BREAKS)
                .autoExtend(false)
                .localHandOver(false)
                .acquire(LONGEST_WAIT)) {
            List<Notice> notices = new ArrayList<>(parsed(lease.value().orElse("")));
            notices.add(notice);
            if (lease.writeValueAsync(text(notices)).toCompletableFuture().join() != WriteOutcome.WRITTEN) {
                warn(notice, "no majority of nodes keeps the notice");
            }
        } catch (HoldfastException e) {
            warn(notice, String.valueOf(e.getMessage()));
        }
    }

    private static void warn(Notice notice, String why) {
        LOG.log(Level.WARNING, "Other servers may not learn of the break of ''{0}'': {1}", notice.lock(), why);
    }

    /** Returns the text of the latest notices that fit into a value. */
    private static String text(List<Notice> notices) {
        String text = "[]";
        ArrayNode array = Json.MAPPER.createArrayNode();
        for (int i = notices.size() - 1; i >= 0; i--) {
            array.insert(0, notices.get(i).json());
            String longer = array.toString();
            if (longer.getBytes(StandardCharsets.UTF_8).length > LockValue.MOST_BYTES) {
                return text;
            }
            text = longer;
        }
        return text;
    }

    private static List<Notice> parsed(String text) {
        List<Notice> notices = new ArrayList<>();
        try {
            if (!text.isEmpty()) {
                Json.MAPPER.readTree(text).forEach(json -> notices.add(Notice.of(json)));
            }
        } catch (JacksonException e) {
            LOG.log(Level.DEBUG, "The value of " + ServersLocks.BREAKS + " is not a list of breaks", e);
        }
        return notices;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
