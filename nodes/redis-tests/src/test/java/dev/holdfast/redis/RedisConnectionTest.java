package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loss of a node's server and the reconnection, and the servers that the node rejects. */
@Tag("slow")
class RedisConnectionTest {

    private static final NodeOptions HASTY = NodeOptions.defaults().connectTimeout(Duration.ofMillis(300));
    private static final NodeOptions PATIENT = NodeOptions.defaults().connectTimeout(Duration.ofSeconds(30));

    private TestServer server;

    @BeforeEach
    void startServer() throws Exception {
        server = TestServer.start();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private String uri() {
        return "redis://127.0.0.1:" + server.port;
    }

    @Test
    void aRestartIsSeenAndTheNewServerIsGreetedBeforeItIsAsked() throws Exception {
        try (NodeUser user = NodeUser.open(uri()).connected()) {
            server.process.kill();
            user.awaitTold("unavailable", 1);
            Unavailable answer = (Unavailable) user.acquire("lock:a", user.newOwner());
            assertThat(answer.maybeExecuted()).isFalse();
            assertThat(answer.reason()).startsWith("not connected: ");
            assertThat(user.status().state()).isEqualTo(NodeStatus.State.DOWN);
            server.process.restart();
            user.awaitTold("available", 2);
            assertThat(user.told.lines.stream()
                            .filter(line -> line.startsWith("available"))
                            .distinct())
                    .as("run ids")
                    .hasSize(2);
            OwnerId owner = user.newOwner();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            user.acquire("lock:a", user.newOwner(), LockMode.EX, true);
            user.awaitTold("contended", 1);
        }
    }

    @Test
    void whatIsUnderWayWhenTheConnectionBreaksIsUnknown() throws Exception {
        try (NodeUser user = NodeUser.open(uri()).connected()) {
            server.process.pause();
            CompletionStage<AcquireAnswer> answer =
                    user.node.acquire(AcquireRequest.forVote("lock:a", user.newOwner(), LockMode.EX, 1000, 1000, 1));
            server.process.kill();
            assertThat(((Unavailable) NodeUser.answer(answer)).maybeExecuted()).isTrue();
        }
    }

    @Test
    void aServerThatIsSilentWhileAnAnswerIsDueIsLeft() throws Exception {
        try (NodeUser user = NodeUser.open(uri(), HASTY, 0).connected()) {
            server.process.pause();
            Unavailable answer = (Unavailable) user.acquire("lock:a", user.newOwner());
            assertThat(answer.maybeExecuted()).isTrue();
            await().until(() -> user.told.lines.contains("unavailable no answer for 300 ms"));
            server.process.resume();
            user.awaitTold("available", 2);
        }
    }

    @Test
    void itGoesOnTryingWhileThereIsNoServer() throws Exception {
        server.process.kill();
        try (NodeUser user = NodeUser.open(uri(), PATIENT, 0)) {
            user.awaitTold("unavailable", 1);
            assertThat(user.told.lines.get(0)).contains("connection refused");
            server.process.restart();
            user.awaitTold("available", 1);
            assertThat(user.told.count("unavailable")).as("told once").isEqualTo(1);
        }
    }

    @Test
    void aReplicaIsRefusedUntilItIsAMaster() throws Exception {
        try (TestServer replica = TestServer.start("replicaof 127.0.0.1 " + server.port);
                NodeUser user = NodeUser.open("redis://127.0.0.1:" + replica.port)) {
            user.awaitTold("refused this is a replica", 1);
            assertThat(user.status().state()).isEqualTo(NodeStatus.State.REFUSED);
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Unavailable.class);
            replica.commands().replicaofNoOne();
            user.awaitTold("available", 1);
        }
    }

    @Test
    void aWrongPasswordIsRefusedAndARotatedOneHeals() {
        server.commands().configSet("requirepass", "correct horse");
        AtomicReference<String> password = new AtomicReference<>("battery staple");
        NodeOptions options = NodeOptions.defaults().credentials(null, password::get);
        try (NodeUser user = NodeUser.open(uri(), options, 0)) {
            user.awaitTold("refused", 1);
            assertThat(user.told.lines.toString())
                    .contains("WRONGPASS")
                    .doesNotContain("battery")
                    .doesNotContain("horse");
            password.set("correct horse");
            user.awaitTold("available", 1);
        }
        try (NodeUser user = NodeUser.open(uri())) {
            user.awaitTold("refused", 1);
            assertThat(user.told.lines.get(0)).contains("NOAUTH");
        }
        try (NodeUser user = NodeUser.open("redis://:correct%20horse@127.0.0.1:" + server.port)) {
            user.awaitTold("available", 1);
            assertThat(user.node.name()).isEqualTo(uri());
        }
    }

    /** The rights that a node needs: docs name the same. */
    private static final List<String> RIGHTS =
            List.of(("~lock:* ~{lock:*}:holdfast:* ~holdfast:epoch resetchannels &holdfast:push:*"
                            + " +hello +info +time +subscribe +publish +eval +evalsha +script|load +get +set +del +exists +mget"
                            + " +pexpire +pexpireat +pttl +type +hget +hset +hdel +hgetall +hmget +hexists +hlen +unlink"
                            + " +zadd +zrem +zrange +zrevrange +zrangebyscore +zrevrangebyscore +zremrangebyscore"
                            + " +zrank +zscore +zcard")
                    .split(" "));

    private void allow(String user, List<String> rights) {
        List<String> command = new ArrayList<>(List.of("SETUSER", user, "on", ">secret"));
        command.addAll(rights);
        server.send(CommandType.ACL, command.toArray(String[]::new));
    }

    private String uriOf(String user) {
        return "redis://" + user + ":secret@127.0.0.1:" + server.port;
    }

    /** Commands that every use of a lock needs. A user without one of them sees its name in the errors of the uses below. */
    @ParameterizedTest
    @ValueSource(strings = {"evalsha", "time", "get", "mget", "set", "pttl", "hset", "zadd", "zcard", "hgetall"})
    void aRightThatIsMissingIsNamed(String command) {
        String user = "lacks-" + command;
        allow(
                user,
                RIGHTS.stream().filter(right -> !right.equals("+" + command)).toList());
        try (NodeUser locker = NodeUser.open(uriOf(user), NodeOptions.defaults(), 0)) {
            await().until(() -> !locker.told.lines.isEmpty());
            List<Object> answers = new ArrayList<>();
            OwnerId holder = locker.newOwner();
            OwnerId waiter = locker.newOwner();
            answers.add(locker.acquire("lock:" + user, holder));
            answers.add(locker.acquire("lock:" + user, waiter, LockMode.PR, true));
            answers.add(NodeUser.answer(locker.node.inspect("lock:" + user)));
            answers.add(locker.release("lock:" + user, holder));
            answers.add(locker.release("lock:" + user, waiter));

            assertThat(answers)
                    .filteredOn(answer -> answer instanceof Unavailable)
                    .isNotEmpty()
                    .allSatisfy(answer -> assertThat(((Unavailable) answer).reason())
                            .contains("lacks a right")
                            .containsIgnoringCase(command));
        }
    }

    /** Without the right the node cannot see whether the vote is there, so it must not answer that there is none. */
    @Test
    void aReleaseByAUserWhoMayNotReadTheLockDoesNotReportAnAbsentVote() {
        allow("blind", RIGHTS);
        try (NodeUser locker = NodeUser.open(uriOf("blind")).connected()) {
            OwnerId holder = locker.newOwner();
            assertThat(locker.acquire("lock:blind", holder)).isInstanceOf(Granted.class);
            allow("blind", List.of("-get"));

            Object released = locker.release("lock:blind", holder);

            assertThat(released)
                    .isInstanceOfSatisfying(
                            Unavailable.class,
                            answer -> assertThat(answer.reason()).contains("lacks a right", "GET"));
            allow("blind", List.of("+get"));
            assertThat(locker.release("lock:blind", holder)).isEqualTo(new ReleaseAnswer.Released());
        }
    }

    @Test
    void keysThatAUserMayNotUseAreSaidToBeWhatIsMissing() {
        allow(
                "keyless",
                RIGHTS.stream().filter(right -> !right.startsWith("~{")).toList());
        try (NodeUser locker = NodeUser.open(uriOf("keyless")).connected()) {
            assertThat(NodeUser.answer(locker.node.inspect("lock:a")))
                    .isInstanceOfSatisfying(
                            Unavailable.class,
                            answer -> assertThat(answer.reason()).contains("lacks a right", "key"));
        }
    }

    @Test
    void anAclUserNeedsNoMoreThanThis() {
        allow("locker", RIGHTS);
        try (NodeUser user = NodeUser.open("redis://locker:secret@127.0.0.1:" + server.port, NodeOptions.defaults(), 1)
                .connected()) {
            OwnerId holder = user.newOwner();
            await().until(() -> user.acquire("lock:a", holder) instanceof Granted);
            OwnerId waiter = user.newOwner();
            user.acquire("lock:a", waiter, LockMode.PR, true);
            user.awaitTold("contended", 1);
            assertThat(user.release("lock:a", holder)).isEqualTo(new ReleaseAnswer.Released());
            user.awaitTold("granted", 1);
            assertThat(user.inspect("lock:a").holders()).hasSize(1);
            Unavailable elsewhere = (Unavailable) user.acquire("other", user.newOwner());
            assertThat(elsewhere.reason()).contains("lacks a right");
            assertThat(user.status().server().warnings()).isEmpty();
        }
    }

    @Test
    void withoutTheRightToSubscribeOrToLoadItWorksAndSaysWhatIsMissing() {
        server.send(CommandType.ACL, "SETUSER", "locker", "on", ">secret", "~*", "+@all", "-script", "-subscribe");
        try (NodeUser user =
                NodeUser.open("redis://locker:secret@127.0.0.1:" + server.port).connected()) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(user.status().server().warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("SUBSCRIBE"))
                    .anySatisfy(warning -> assertThat(warning).contains("SCRIPT LOAD"));
        }
    }

    @Test
    void withoutInfoTheRoleIsAskedForAndEveryConnectionCountsAsARestart() {
        server.send(CommandType.ACL, "SETUSER", "locker", "on", ">secret", "~*", "&*", "+@all", "-info");
        String uri = "redis://locker:secret@127.0.0.1:" + server.port;
        try (NodeUser user = NodeUser.open(uri, NodeOptions.defaults(), 60_000).connected()) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(AcquireAnswer.Quarantined.class);
            assertThat(user.status().server().warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("does not report its run id"));
            server.killClients("locker");
            user.awaitTold("available", 2);
            server.commands().replicaof("127.0.0.1", 1);
            server.killClients("locker");
            user.awaitTold("refused this is a replica", 1);
        }
    }

    @Test
    void aBusyServerIsNeitherAYesNorANo() {
        server.commands().configSet("lua-time-limit", "10");
        try (NodeUser user = NodeUser.open(uri()).connected()) {
            server.client()
                    .connect(server.uri())
                    .async()
                    .eval("while true do end", io.lettuce.core.ScriptOutputType.STATUS);
            await().until(() -> user.acquire("lock:a", user.newOwner()) instanceof Unavailable busy
                    && busy.reason().contains("busy")
                    && !busy.maybeExecuted());
            server.commands().scriptKill();
        }
    }

    @Test
    void aFullServerIsTriedAgain() {
        try (NodeUser user = NodeUser.open(uri()).connected();
                NodeUser late = lateToAFullServer()) {
            await().until(() -> late.told.lines.stream().anyMatch(line -> line.contains("too many clients")));
            user.node.close();
            server.client().shutdown();
            late.awaitTold("available", 1);
        }
    }

    private NodeUser lateToAFullServer() {
        server.commands().configSet("maxclients", "1");
        return NodeUser.open(uri());
    }
}
