package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ManualTiming;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** The reports about a server that does not accept connections. The last of these failures comes again and again. */
class ReconnectorTest {

    private static final RuntimeException HIDDEN = new IllegalStateException("RedisHandshakeHandler not registered");
    private static final RuntimeException PREMATURE = new IllegalStateException("Connection closed prematurely");
    private static final RuntimeException WRONG_PASSWORD =
            new RedisCommandExecutionException("WRONGPASS invalid password");

    private final ManualTiming time = new ManualTiming(1);
    private final List<ServerProblem> told = new ArrayList<>();

    private final class Ears implements Reconnector.Owner {

        @Override
        public void pushed(String message) {
            throw new AssertionError(message);
        }

        @Override
        public CompletionStage<ServerFacts> greet(Link link) {
            throw new AssertionError("nobody has connected");
        }

        @Override
        public void up(Link link, ServerFacts facts) {
            throw new AssertionError("nobody has connected");
        }

        @Override
        public void down(ServerProblem problem) {
            told.add(problem);
        }
    }

    private record Failing(Deque<RuntimeException> failures) implements Connector {

        @Override
        public CompletableFuture<LettuceConnections> connect() {
            return CompletableFuture.failedFuture(failures.size() > 1 ? failures.remove() : failures.element());
        }

        @Override
        public void close() {}
    }

    private Reconnector keeping(RuntimeException... failures) {
        Reconnector keeper = new Reconnector(
                new Failing(new ArrayDeque<>(List.of(failures))), time.timing(), 1_000_000_000, new Ears());
        keeper.start();
        return keeper;
    }

    @Test
    void whatAServerSaysIsToldThoughItWasMissedSeveralTimes() {
        Reconnector keeper = keeping(HIDDEN, HIDDEN, PREMATURE, HIDDEN, WRONG_PASSWORD);
        time.advance(Duration.ofMillis(200));
        assertThat(told).singleElement().satisfies(problem -> {
            assertThat(problem.setup()).isTrue();
            assertThat(problem.reason()).contains("WRONGPASS");
        });
        keeper.close();
    }

    @Test
    void aServerThatNeverSaysAnythingIsToldOfAfterAMoment() {
        Reconnector keeper = keeping(PREMATURE);
        time.advance(Duration.ofMillis(30));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(170));
        assertThat(told)
                .isNotEmpty()
                .allSatisfy(
                        problem -> assertThat(problem.reason()).isEqualTo("the server closed the connection at once"));
        keeper.close();
    }

    @Test
    void whatHidesNothingIsToldAtOnce() {
        Reconnector keeper = keeping(new IllegalStateException("Connection refused"));
        time.advance(Duration.ZERO);
        assertThat(told)
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).startsWith("connection refused"));
        keeper.close();
    }

    /** Netty ends a handshake after the connect timeout too, and may do so before the timer of this client. */
    @Test
    void aTimeoutOfTheTlsHandshakeIsReportedAsOneOfTheConnection() {
        Exception handshake = new SSLHandshakeException("handshake timed out after 1000ms");
        Reconnector keeper = keeping(new RedisConnectionException("Cannot connect Redis Sentinel", handshake));
        time.advance(Duration.ZERO);
        assertThat(told).containsExactly(new ServerProblem("no answer within 1000 ms while connecting", false, false));
        keeper.close();
    }

    /** Otherwise the node would wait for a minute, for a connection that this client does not begin. */
    @Test
    void anErrorOfASupplierOfPasswordsIsToldAtOnce() {
        Reconnector keeper = new Reconnector(
                new Slow(new CompletableFuture<>(), () -> {
                    throw new AssertionError("no password");
                }),
                time.timing(),
                1_000_000_000,
                new Ears());
        keeper.start();
        assertThatThrownBy(() -> time.advance(Duration.ZERO)).hasMessage("no password");
        assertThat(told)
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).isEqualTo("no password"));
        keeper.close();
    }

    // ---- a client that is held up itself

    /** Connects when a test lets it. */
    private record Slow(CompletableFuture<LettuceConnections> wires, Runnable begin) implements Connector {

        @Override
        public CompletableFuture<LettuceConnections> connect() {
            begin.run();
            return wires.copy(); // each attempt cancels its own
        }

        @Override
        public void close() {}
    }

    private Reconnector keeping(Connector connector) {
        Reconnector keeper = new Reconnector(connector, time.timing(), 1_000_000_000, new Ears());
        keeper.start();
        time.drain();
        return keeper;
    }

    @Test
    void aClientThatStoodStillWhileItConnectedGivesTheServerItsTimeAfterwards() {
        Reconnector keeper = keeping(new Slow(new CompletableFuture<>(), () -> {}));
        time.advance(Duration.ofMillis(100));
        time.machine().pause(Duration.ofSeconds(10));
        time.advance(Duration.ofMillis(800));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(200));
        assertThat(told)
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).contains("no answer within 1000 ms"));
        keeper.close();
    }

    @Test
    void aServerIsNotBlamedForTheTimeBeforeTheConnectionIsBegun() {
        Reconnector keeper = keeping(
                new Slow(new CompletableFuture<>(), () -> time.advance(Duration.ofSeconds(3)))); // classes are loaded
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(800));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(201));
        assertThat(told).hasSize(1);
        keeper.close();
    }

    @Test
    void aServerIsNotBlamedWhileAStarvedClientLoadsClassesForHalfAMinute() {
        Reconnector keeper = keeping(new Slow(new CompletableFuture<>(), () -> time.advance(Duration.ofSeconds(30))));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(999));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(126));
        assertThat(told).hasSize(1);
        keeper.close();
    }

    @Test
    void aServerThatDoesNotAnswerIsToldOfAfterTheConnectTimeout() {
        Reconnector keeper = keeping(new Slow(new CompletableFuture<>(), () -> {}));
        time.advance(Duration.ofMillis(999));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(told).hasSize(1);
        keeper.close();
    }

    @Test
    void aClientThatNeverBeginsToConnectSaysSoInTheEnd() {
        AtomicBoolean held = new AtomicBoolean(true);
        Reconnector keeper = keeping(new Slow(new CompletableFuture<>(), () -> {
            if (held.getAndSet(false)) {
                time.advance(Duration.ofMinutes(2));
            }
        }));
        assertThat(told.get(0).reason()).contains("this client has not begun to connect");
        keeper.close();
    }
}
