package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.ServerProcess;
import dev.holdfast.server.session.SessionClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Each of two servers shows within one second that an operator has broken a lease, in every way in which a client can see it. The servers are real processes in
 * front of three real Redis masters.
 */
@Tag("slow")
class BreakIsSeenTest {

    /** The promise of docs/reference/server.md. */
    private static final Duration PROMISE = Duration.ofSeconds(1);

    /** The first break of a process loads classes, and a busy machine may stop a process for long: not every break counts. */
    private static final int MOST_BREAKS = 12;

    private static final int ENOUGH = 3;

    private static RedisProcesses nodes;
    private static List<ServerProcess> servers;
    private static Holdfast operator;

    @BeforeAll
    static void start() {
        nodes = RedisProcesses.start(3);
        servers = List.of(ServerProcess.start(nodes.uris()), ServerProcess.start(nodes.uris()));
        operator = Holdfast.builder()
                .nodes(nodes.uris().stream().map(Object::toString).toList())
                .build();
    }

    @AfterAll
    static void stop() {
        operator.close();
        servers.forEach(ServerProcess::close);
        nodes.close();
    }

    /** The way in which an operator breaks the lease. */
    enum Way {
        AT_THE_SERVER_OF_THE_HOLDER {
            @Override
            void breakLease(String lock, long token) {
                post(servers.get(0), lock, token);
            }
        },
        AT_ANOTHER_SERVER {
            @Override
            void breakLease(String lock, long token) {
                post(servers.get(1), lock, token);
            }
        },
        BY_THE_COMMAND_LINE {
            @Override
            void breakLease(String lock, long token) throws InterruptedException {
                assertThat(operator.admin().breakLease(lock, token, "it hangs").outcome())
                        .isEqualTo(BreakOutcome.BROKEN);
                BreakNotices.publish(operator, lock, token, "it hangs"); // as BreakCommand does
            }
        };

        abstract void breakLease(String lock, long token) throws InterruptedException;
    }

    private static void post(ServerProcess server, String lock, long token) {
        server.http()
                .post("/v1/break", "{'lock':'" + lock + "','token':" + token + ",'reason':'it hangs'}")
                .is(200);
    }

    @ParameterizedTest
    @EnumSource
    void ofAClientOfHttp(Way way) throws Exception {
        List<Map<String, Long>> all = new ArrayList<>();
        for (int i = 0; i < MOST_BREAKS && inTime(all) < ENOUGH; i++) {
            String lock = "orders:" + way + ":" + i;
            Reply held = servers.get(0)
                    .http()
                    .acquire("{'lock':'" + lock + "','ttl':'10m'}")
                    .is(201);
            Map<String, BooleanSupplier> surfaces = new LinkedHashMap<>();
            for (ServerProcess server : servers) {
                server.http().get(path(held)).is(200);
                surfaces.put(
                        "GET at server " + servers.indexOf(server),
                        () -> server.http().get(path(held)).status() == 410);
            }
            all.add(seenMillis(lock, held.number("token"), way, surfaces));
        }
        assertThat(inTime(all)).as("%s", all).isEqualTo(ENOUGH);
    }

    @ParameterizedTest
    @EnumSource
    void ofASession(Way way) throws Exception {
        List<Map<String, Long>> all = new ArrayList<>();
        for (int i = 0; i < MOST_BREAKS && inTime(all) < ENOUGH; i++) {
            String lock = "sessions:" + way + ":" + i;
            try (SessionClient session = SessionClient.open(servers.get(0).uri())) {
                JsonNode lease = session.acquire("'lock':'" + lock + "','ttl':'10m'");
                Map<String, BooleanSupplier> surfaces = new LinkedHashMap<>();
                surfaces.put("session", () -> session.wasTold("lost"));
                all.add(seenMillis(lock, lease.get("token").longValue(), way, surfaces));
            }
        }
        assertThat(inTime(all)).as("%s", all).isEqualTo(ENOUGH);
    }

    /** Returns how many breaks were seen everywhere in time. */
    private static long inTime(List<Map<String, Long>> all) {
        return all.stream()
                .filter(seen -> seen.values().stream().allMatch(millis -> millis <= PROMISE.toMillis()))
                .count();
    }

    /** Breaks a lease, and returns when each surface showed it, in ms after the request. */
    private static Map<String, Long> seenMillis(String lock, long token, Way way, Map<String, BooleanSupplier> surfaces)
            throws Exception {
        List<Reader> readers = new ArrayList<>();
        try {
            for (ServerProcess server : servers) {
                String at = " at server " + servers.indexOf(server);
                Http http = server.http();
                Reader events = new Reader(server, lock);
                readers.add(events);
                double before = counted(http);
                surfaces.put("events" + at, () -> events.saw(lock));
                surfaces.put("page" + at, () -> isOnThePage(http, lock));
                surfaces.put("metric" + at, () -> counted(http) > before);
                surfaces.put("log" + at, () -> isLogged(server, lock));
            }
            long start = System.nanoTime();
            List<CompletableFuture<Void>> watches = new ArrayList<>();
            Map<String, Long> seen = new ConcurrentHashMap<>();
            surfaces.forEach((surface, isSeen) -> watches.add(CompletableFuture.runAsync(
                    () -> {
                        await().atMost(Http.PATIENCE)
                                .pollInterval(Duration.ofMillis(20))
                                .until(isSeen::getAsBoolean);
                        seen.put(surface, (System.nanoTime() - start) / 1_000_000);
                    },
                    task -> new Thread(task).start())));
            way.breakLease(lock, token);
            watches.forEach(CompletableFuture::join);
            System.out.println(lock + ", ms after the break: " + new TreeMap<>(seen));
            return seen;
        } finally {
            readers.forEach(Reader::close);
        }
    }

    private static boolean isLogged(ServerProcess server, String lock) {
        return server.logged()
                .lines()
                .anyMatch(line ->
                        line.contains("'" + lock + "'") && line.contains("it hangs") && line.contains("broken"));
    }

    private static String path(Reply lease) {
        return "/v1/leases/" + lease.text("id");
    }

    private static boolean isOnThePage(Http http, String lock) {
        for (JsonNode event :
                http.get("/v1/history?lock=" + Http.encoded(lock)).json().get("events")) {
            if (event.get("type").stringValue().equals("broken")) {
                return true;
            }
        }
        return false;
    }

    private static double counted(Http http) {
        return http.get("/metrics")
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_server_events_total{type=\"broken\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** A reader of a server's events. */
    private static final class Reader implements AutoCloseable {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final Thread thread;

        Reader(ServerProcess server, String prefix) throws Exception {
            HttpRequest request = server.http()
                    .request("/v1/events?prefix=" + Http.encoded(prefix))
                    .build();
            HttpResponse<java.util.stream.Stream<String>> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines());
            thread = new Thread(() -> {
                try {
                    response.body().forEach(lines::add);
                } catch (RuntimeException e) {
                    // the server has ended, or the test has
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        boolean saw(String lock) {
            return lines.stream()
                    .anyMatch(line -> line.contains("\"type\":\"broken\"") && line.contains("\"" + lock + "\""));
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
