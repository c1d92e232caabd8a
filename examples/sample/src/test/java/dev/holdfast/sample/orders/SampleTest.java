package dev.holdfast.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.election.Leader;
import dev.holdfast.fence.ColumnGuard;
import dev.holdfast.fence.StaleTokenException;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.sample.orders.OrderStore.Shipment;
import dev.holdfast.sample.stage.Instance;
import dev.holdfast.sample.stage.Settings;
import dev.holdfast.sample.stage.Stage;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Starts the sample as its command does, on three nodes, with three instances and a real PostgreSQL, and kills and pauses parts of it. */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SampleTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ORDERS = 30;
    private static final int NIGHT_SECONDS = 5;

    @TempDir
    static Path folder;

    private static Stage stage;
    private static Shop shop;
    private static Holdfast holdfast;

    /**
     * Nights in which no instance may have run the batch. The instance that held the lock died or was paused. Or it resumed and ran the batch of an
     * earlier night, and {@code atLeast} kept the lock held as the next night began.
     */
    private static final Set<Long> DISTURBED = new HashSet<>();

    @BeforeAll
    static void start() {
        List<String> properties = List.of("sample.pick-up-every=5s", "holdfast.node.timeout=1s");
        stage = new Stage(new Settings(0, 0, 3, 0, folder.resolve("sample"), properties));
        stage.start();
        shop = new Shop(stage);
        holdfast = Holdfast.builder().nodes(stage.nodeUris()).connect();
    }

    @AfterAll
    static void end() {
        if (holdfast != null) {
            holdfast.close();
        }
        stage.close();
    }

    private static void awaitNight() {
        int nights = shop.nights().size();
        await().atMost(SOON).until(() -> shop.nights().size() > nights);
    }

    private static long thisNight() {
        return Long.parseLong(journal().night());
    }

    private static Journal journal() {
        return new Journal(new JdbcTemplate(stage.database().dataSource()), "test", NIGHT_SECONDS);
    }

    private static void disturb(Instance instance, Runnable disturbance) throws InterruptedException {
        long night = thisNight();
        disturbance.run();
        long now = System.currentTimeMillis();
        holdfast.admin().status("nightly").holders().stream()
                .filter(holder -> holder.owner().startsWith(instance.name() + "~"))
                .mapToLong(holder -> Math.floorDiv(now + holder.remaining().toMillis(), NIGHT_SECONDS * 1_000L))
                .flatMap(last -> LongStream.rangeClosed(night, last))
                .forEach(DISTURBED::add);
    }

    private static Instance instanceOf(Leader leader) {
        return stage.instances().stream()
                .filter(instance -> instance.name().equals(leader.candidateName()))
                .findFirst()
                .orElseThrow();
    }

    private static void assertNothingTwice() {
        Journal journal = journal();
        assertThat(journal.twice())
                .allSatisfy((deed, subjects) -> assertThat(subjects).as(deed).isEqualTo(0L));
    }

    private static Leader awaitLeaderAfter(long term) {
        return await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> holdfast.election("report").leader().orElseThrow(), leader -> leader.term() > term);
    }

    @Test
    @Order(1)
    void showsPagesHealthAndMetrics() throws Exception {
        for (Instance instance : stage.instances()) {
            assertThat(shop.get(instance.uri().resolve("/")).body()).contains("<title>Orders</title>");
            assertThat(shop.get(instance.uri().resolve("/summary")).body())
                    .contains("\"instance\":\"" + instance.name() + "\"", "\"twice\"");
            assertThat(shop.get(instance.uri().resolve("/actuator/health")).body())
                    .contains("\"status\":\"UP\"");
            assertThat(shop.get(instance.uri().resolve("/actuator/prometheus")).body())
                    .contains("http_server_requests_seconds_count{", "instance=\"" + instance.name() + "\"")
                    .contains("holdfast_lock_acquire_seconds_count{", "holdfast_quorum_available{");
            assertThat(shop.get(instance.uri().resolve("/actuator/holdfast")).statusCode())
                    .isEqualTo(200);
        }
        assertThat(shop.get(stage.dashboard()).body()).contains("<title>Holdfast</title>");
    }

    @Test
    @Order(2)
    void saysWhatIsWrong() throws Exception {
        Instance instance = shop.instance(0);
        assertProblem(shop.place(instance, "k", "{\"customer\":\"ada\",\"cents\":-5}"), 400, "cents is -5, but");
        assertProblem(shop.place(instance, "k", "{\"cents\":5}"), 400, "customer must be a text");
        assertProblem(shop.place(instance, "k", "{"), 400, "not the JSON");
        assertProblem(shop.place(instance, " ", "{\"customer\":\"ada\",\"cents\":5}"), 400, "Idempotency-Key must be");
        assertProblem(shop.post(instance, "/orders/99/ship", "").join(), 404, "there is no order 99");
        assertProblem(
                shop.post(instance, "/payments", "{\"message\":\"m\",\"order\":99}")
                        .join(),
                404,
                "no order 99");
        long order = shop.placeTwice("wrong", 0);
        assertProblem(shop.place(instance, "wrong", "{\"customer\":\"eve\",\"cents\":1}"), 422, "another order");
        assertThat(shop.post(instance, "/orders/" + order + "/ship", "").join().statusCode())
                .as("shipping what is not paid")
                .isEqualTo(409);
        assertThat(shop.payTwice("wrong", order, 0)).contains("\"BOOKED\"");
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String detail) {
        assertThat(answer.body()).contains(detail);
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    /** Another holder has the lock and has begun with the order: only the token shows that this holder is late. */
    @Test
    @Order(3)
    void aLateHolderChangesNothing() throws Exception {
        DataSource database = stage.database().dataSource();
        JdbcTemplate jdbc = new JdbcTemplate(database);
        OrderStore store = new OrderStore(jdbc, new Journal(jdbc, "late", NIGHT_SECONDS), 0.001);
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(database));
        long order = shop.placeTwice("late", 0);
        Lease before = holdfast.lock("orders:" + order).acquire(SOON);
        before.release();
        try (Lease now = holdfast.lock("orders:" + order).acquire(SOON)) {
            shop.payTwice("late", order, 0); // the instances queue for it
            transaction.executeWithoutResult(status -> jdbc.execute((Connection connection) -> {
                new ColumnGuard("orders", "id", "fence").check(connection, order, now.fencingToken());
                return true;
            }));

            assertThatThrownBy(() -> transaction.execute(status -> store.ship(order, before.fencingToken())))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(Long.toString(now.fencingToken()));
            assertThat(shop.state(order)).isEqualTo("PAID");
            assertThat(shop.number("SELECT count(*) FROM journal WHERE deed = 'shipped' AND subject = '" + order + "'"))
                    .isZero();

            Shipment shipment = transaction.execute(status -> store.ship(order, now.fencingToken()));
            assertThat(shipment.outcome()).isEqualTo(Shipment.Outcome.SHIPPED);
        }
    }

    @Test
    @Order(4)
    void anInstanceThatStoodStillDoesNothingAgain() throws Exception {
        awaitNight();
        Leader leader = awaitLeaderAfter(0);
        Instance instance = instanceOf(leader);
        OsProcess still = OsProcess.endingWithThisJvm(instance.process());
        List<Long> orders = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            orders.add(shop.placeTwice("still-" + i, i));
            shop.payTwice("still-" + i, orders.get(i), i);
        }
        disturb(instance, still::pause);
        awaitLeaderAfter(leader.term());
        await().atMost(SOON)
                .until(() -> orders.stream().allMatch(order -> shop.state(order).equals("SHIPPED")));
        awaitNight();
        await().atMost(SOON)
                .until(() -> holdfast.admin().status("nightly").holders().isEmpty()); // so it could acquire it again
        long resumed = thisNight();
        still.resume();
        awaitNight();
        DISTURBED.addAll(LongStream.rangeClosed(resumed, thisNight()).boxed().toList());
        assertNothingTwice();
    }

    @Test
    @Order(5)
    void everythingIsDoneOnceThoughAnInstanceDiesAndANodeStandsStill() throws Exception {
        Leader first = awaitLeaderAfter(0);
        List<Long> orders = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            orders.add(shop.placeTwice("order-" + i, i));
        }
        List<CompletableFuture<List<String>>> payments = IntStream.range(0, ORDERS)
                .mapToObj(i -> shop.pay("message-" + i, orders.get(i), i))
                .toList();
        assertThat(payments)
                .allSatisfy(payment ->
                        assertThat(payment.join()).containsExactlyInAnyOrder("\"BOOKED\"", "\"ALREADY_BOOKED\""));

        OsProcess node = OsProcess.endingWithThisJvm(
                ProcessHandle.of(stage.nodes().get(0).pid()).orElseThrow());
        node.pause();
        List<CompletableFuture<Integer>> shipped =
                orders.stream().map(SampleTest::shipAtAllThree).toList();
        CompletableFuture.anyOf(shipped.toArray(CompletableFuture[]::new)).join();
        Instance leader = instanceOf(first);
        disturb(leader, () -> leader.process().destroyForcibly());

        assertThat(shipped).allSatisfy(times -> assertThat(times.join()).isLessThanOrEqualTo(1));
        await().atMost(SOON).until(() -> shop.number("SELECT count(*) FROM orders WHERE state <> 'SHIPPED'") == 0);
        assertNothingTwice();
        assertThat(orders)
                .allSatisfy(order -> assertThat(shop.number(
                                "SELECT count(*) FROM journal WHERE deed = 'shipped' AND subject = '" + order + "'"))
                        .isEqualTo(1));
        Leader next = awaitLeaderAfter(first.term());
        assertThat(next.candidateName()).isNotEqualTo(first.candidateName());
        await().atMost(SOON)
                .until(() ->
                        shop.number("SELECT count(*) FROM journal WHERE deed = 'report' AND token = " + next.term())
                                > 0);
        node.resume();
    }

    /** Returns how many of the three instances report that they have shipped the order; one of them may be down. */
    private static CompletableFuture<Integer> shipAtAllThree(long order) {
        return IntStream.range(0, Stage.INSTANCES)
                .mapToObj(i -> shop.post(shop.instance(i), "/orders/" + order + "/ship", "")
                        .handle((answer, failure) ->
                                answer != null && answer.body().contains("\"outcome\":\"SHIPPED\"") ? 1 : 0))
                .reduce((one, other) -> one.thenCombine(other, Integer::sum))
                .orElseThrow();
    }

    @Test
    @Order(6)
    void theBatchHasRunOnceInEveryNight() {
        await().atMost(SOON)
                .until(() -> shop.nights().stream()
                                .filter(night -> !DISTURBED.contains(night))
                                .count()
                        > 2);
        List<Long> nights = shop.nights();
        assertThat(nights).isSorted().doesNotHaveDuplicates();
        assertThat(LongStream.rangeClosed(nights.get(0), nights.get(nights.size() - 1))
                        .filter(night -> !nights.contains(night)))
                .as("nights without the batch, of %s", nights)
                .isSubsetOf(DISTURBED);
    }

    @Test
    @Order(7)
    void endsWithoutATrace() throws Exception {
        List<ProcessHandle> processes = new ArrayList<>();
        stage.instances().forEach(instance -> processes.add(instance.process()));
        stage.nodes().forEach(node -> ProcessHandle.of(node.pid()).ifPresent(processes::add));
        List<URI> addresses = new ArrayList<>(List.of(stage.dashboard()));
        stage.instances().forEach(instance -> addresses.add(instance.uri()));
        addresses.add(URI.create("postgres://localhost:" + stage.database().port()));
        assertThat(processes).hasSize(Stage.INSTANCES + 3);

        holdfast.close();
        stage.close();

        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(addresses)
                .allSatisfy(address -> assertThatThrownBy(
                                () -> new Socket(address.getHost(), address.getPort()).close())
                        .isInstanceOf(ConnectException.class));
        assertThat(Files.exists(folder.resolve("sample"))).isFalse();
    }
}
