package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.script.LockKeys;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.redis.script.PushMessage;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The specifics of a node that is a Redis server: its keys, other clients' keys, its scripts. */
class RedisNodeTest {

    private static TestServer server;
    private static RedisCommands<String, String> redis;
    private NodeUser user;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
        redis = server.client().connect(server.uri()).sync();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void openNode() {
        redis.flushall();
        user = NodeUser.open(server.nodeUri()).connected();
    }

    @AfterEach
    void closeNode() {
        user.close();
    }

    @Test
    void anExVoteIsThePlainStringOfTheRedisDocumentation() {
        OwnerId owner = user.newOwner();
        Granted granted = (Granted) user.acquire("lock:a", owner);
        assertThat(redis.get("lock:a")).isEqualTo(owner.toString());
        assertThat(redis.pttl("lock:a")).isBetween(NodeUser.TTL_MILLIS - 5_000, NodeUser.TTL_MILLIS);
        assertThat(redis.get("{lock:a}:holdfast:fence")).isEqualTo(Long.toString(granted.fence()));
        assertThat(redis.keys("*"))
                .containsExactlyInAnyOrder("lock:a", "{lock:a}:holdfast:fence", "{lock:a}:holdfast:ttl");
        assertThat(user.release("lock:a", owner)).isEqualTo(new ReleaseAnswer.Released());
        assertThat(redis.keys("*")).containsExactlyInAnyOrder("{lock:a}:holdfast:fence", "{lock:a}:holdfast:ttl");
        assertThat(redis.pttl("{lock:a}:holdfast:fence")).isPositive();
        assertThat(redis.pttl("{lock:a}:holdfast:ttl")).isPositive();
    }

    @Test
    void theLongestTtlIsKeptWhileTheLockIsInUse() {
        user.release("lock:a", granted("lock:a"));
        long whole = redis.pttl("{lock:a}:holdfast:ttl");
        redis.pexpire("{lock:a}:holdfast:ttl", whole / 2 - 1_000); // the whole half would be enough
        long earlierQuarter = Long.parseLong(redis.get("{lock:a}:holdfast:fence")) - ((whole + 4_000) << 20) / 4_000;
        redis.set("{lock:a}:holdfast:fence", Long.toString(earlierQuarter), SetArgs.Builder.px(whole));

        user.release("lock:a", granted("lock:a"));

        assertThat(redis.pttl("{lock:a}:holdfast:ttl")).isGreaterThan(whole - whole / 4);
    }

    private OwnerId granted(String lock) {
        OwnerId owner = user.newOwner();
        assertThat(user.acquire(lock, owner)).isInstanceOf(Granted.class);
        return owner;
    }

    @Test
    void foreignClientsAndHoldfastExcludeEachOther() {
        redis.set("lock:a", "xyz\u0007", SetArgs.Builder.nx().px(20_000));
        Denied denied = (Denied) user.acquire("lock:a", user.newOwner());
        assertThat(denied.reason()).isEqualTo(Denied.Reason.HELD);
        assertThat(denied.remainingMillis()).isBetween(10_000L, 20_000L);
        assertThat(denied.blocker()).isNotNull();
        assertThat(denied.blocker().kind()).isEqualTo(Blocker.Kind.FOREIGN);
        assertThat(denied.blocker().owner()).isEqualTo("xyz?");
        OwnerId waiting = user.newOwner();
        assertThat(user.acquire("lock:a", waiting, LockMode.PR, true)).isInstanceOf(Queued.class);
        assertThat(user.release("lock:a", user.newOwner())).isEqualTo(new ReleaseAnswer.Absent());
        assertThat(redis.get("lock:a")).isEqualTo("xyz\u0007");

        redis.del("lock:a");
        assertThat(user.acquire("lock:a", waiting, LockMode.PR, true)).isInstanceOf(Granted.class);
        assertThat(redis.set("lock:a", "xyz", SetArgs.Builder.nx().px(20_000)))
                .as("a shared vote keeps it out")
                .isNull();
        assertThat(user.release("lock:a", waiting)).isEqualTo(new ReleaseAnswer.Released());
        assertThat(redis.set("lock:a", "xyz", SetArgs.Builder.nx().px(20_000))).isEqualTo("OK");
    }

    @Test
    void aForeignHolderWithoutExpirySaysSo() {
        redis.set("lock:a", "");
        Denied denied = (Denied) user.acquire("lock:a", user.newOwner());
        assertThat(denied.remainingMillis()).isZero();
        assertThat(denied.blocker()).isEqualTo(new Blocker(Blocker.Kind.FOREIGN, "", OptionalLong.empty()));
    }

    @Test
    void whatIsNoLockIsHeldBySomethingElseAndLeftAlone() {
        redis.hset("lock:a", "field", "value");
        for (boolean queue : List.of(false, true)) {
            Denied denied = (Denied) user.acquire("lock:a", user.newOwner(), LockMode.EX, queue);
            assertThat(denied.reason()).isEqualTo(Denied.Reason.HELD);
            assertThat(denied.blocker()).isEqualTo(new Blocker(Blocker.Kind.OTHER_TYPE, "hash", OptionalLong.empty()));
        }
        assertThat(user.release("lock:a", user.newOwner())).isEqualTo(new ReleaseAnswer.Absent());
        assertThat(user.inspect("lock:a").holders()).hasSize(1);
        assertThat(redis.hget("lock:a", "field")).isEqualTo("value");
        assertThat(redis.keys("*")).containsExactly("lock:a");
    }

    @Test
    void aSideKeyOfAnotherTypeIsAnAnswerAndNoHang() {
        redis.lpush("{lock:a}:holdfast:fence", "x");
        Unavailable answer = (Unavailable) user.acquire("lock:a", user.newOwner());
        assertThat(answer.reason()).contains("WRONGTYPE");
        assertThat(redis.exists("lock:a")).as("no vote that nobody was told of").isZero();
    }

    @Test
    void deletingTheLockKeyBreaksASharedLock() {
        OwnerId reader = user.newOwner();
        user.acquire("lock:a", reader, LockMode.PR, false);
        redis.del("lock:a");
        OwnerId writer = user.newOwner();
        assertThat(user.acquire("lock:a", writer)).isInstanceOf(Granted.class);
        assertThat(user.release("lock:a", writer)).isEqualTo(new ReleaseAnswer.Released());
        assertThat(user.acquire("lock:a", user.newOwner(), LockMode.PR, false)).isInstanceOf(Granted.class);
        assertThat(user.inspect("lock:a").holders())
                .as("the broken vote does not come back")
                .hasSize(1);
    }

    @Test
    void grantsArePushedToTheClientOfTheWaiter() {
        OwnerId holder = user.newOwner();
        OwnerId waiter = user.newOwner();
        user.acquire("lock:a\nb", holder);
        Queued queued = (Queued) user.acquire("lock:a\nb", waiter, LockMode.EX, true);
        await().until(() -> user.told.count("contended lock:a\nb " + holder) == 1);
        user.release("lock:a\nb", holder);
        await().until(() -> user.told.count("granted lock:a\nb " + waiter + " " + (queued.fence() + 1)) == 1);
    }

    @Test
    void badPushesAreIgnored() {
        String channel = PushMessage.CHANNEL + user.client;
        for (String bad : List.of(
                "",
                "granted",
                "granted\nx\n1\nlock:a",
                "contended\n" + user.newOwner() + "\n1\nx\nlock:a",
                "granted\n" + user.newOwner() + "\n99999999999999999999\nlock:a")) {
            redis.publish(channel, bad);
        }
        OwnerId owner = user.newOwner();
        redis.publish(channel, "granted\n" + owner + "\n7\nlock:a");
        await().until(() -> user.told.count("granted lock:a " + owner + " 7") == 1);
        assertThat(user.told.count("granted") + user.told.count("contended")).isEqualTo(1);
    }

    @Test
    void forgottenScriptsAreSentAgain() {
        OwnerId owner = user.newOwner();
        redis.scriptFlush();
        assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
        redis.scriptFlush();
        assertThat(user.release("lock:a", owner)).isEqualTo(new ReleaseAnswer.Released());
        assertThat(redis.scriptExists(LuaScript.ACQUIRE.sha1(), LuaScript.RELEASE_ALONE.sha1()))
                .containsExactly(false, true);
    }

    private List<Boolean> known(LuaScript... scripts) {
        return redis.scriptExists(Stream.of(scripts).map(LuaScript::sha1).toArray(String[]::new));
    }

    @Test
    void oneThatNobodyElseHasToDoWithIsAskedForWithFewKeys() {
        redis.scriptFlush();
        OwnerId owner = user.newOwner();

        assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
        assertThat(user.release("lock:a", owner)).isEqualTo(new ReleaseAnswer.Released());

        assertThat(known(LuaScript.ACQUIRE, LuaScript.ACQUIRE_ALONE, LuaScript.RELEASE, LuaScript.RELEASE_ALONE))
                .containsExactly(false, true, false, true);
    }

    /** The notifications of a client that takes locks to be free. */
    private AcquireAnswer unexpectedAnswer(String lock, OwnerId owner) {
        try (NodeUser other = NodeUser.open(server.nodeUri()).connected()) {
            redis.scriptFlush();
            AcquireAnswer answer = other.acquire(lock, owner);
            assertThat(known(LuaScript.ACQUIRE_ALONE)).containsExactly(true);
            return answer;
        }
    }

    @Test
    void oneThatTurnsOutNotToBeFreeIsAskedForAgain() {
        OwnerId late = new OwnerId(user.client, 1L << 52, 0);
        user.acquire("lock:held", user.newOwner());
        assertThat(((Denied) unexpectedAnswer("lock:held", late)).reason()).isEqualTo(Denied.Reason.HELD);

        user.acquire("lock:read", user.newOwner(), LockMode.PR, false);
        assertThat(((Denied) unexpectedAnswer("lock:read", late)).reason()).isEqualTo(Denied.Reason.HELD);

        user.acquire("lock:left", user.newOwner());
        user.acquire("lock:left", user.newOwner(), LockMode.EX, true);
        redis.del("lock:left");
        assertThat(((Denied) unexpectedAnswer("lock:left", late)).reason()).isEqualTo(Denied.Reason.WAITERS);

        NodeUser.answer(user.node.release(new ReleaseRequest("lock:buried", late, 10_000)));
        assertThat(((Denied) unexpectedAnswer("lock:buried", late)).reason()).isEqualTo(Denied.Reason.BURIED);

        NodeUser.answer(user.node.release(new ReleaseRequest("lock:sealed", late, 0, Seal.now(late, 10_000))));
        assertThat(unexpectedAnswer("lock:sealed", late)).isInstanceOf(AcquireAnswer.Sealed.class);
    }

    /** A request that is re-sent after its owner gave up would leave a position in the queue without an owner. */
    @Test
    void whatIsGivenBackBeforeItIsAskedAgainLeavesNothing() {
        OwnerId holder = user.newOwner();
        user.acquire("lock:a", holder);
        try (NodeUser other = NodeUser.open(server.nodeUri()).connected()) {
            OwnerId waiter = other.newOwner();
            server.process.pause();
            CompletionStage<AcquireAnswer> asked =
                    other.node.acquire(AcquireRequest.forQueuedVote("lock:a", waiter, LockMode.EX, 30_000, 10_000, 1));
            CompletionStage<ReleaseAnswer> released = other.node.release(new ReleaseRequest("lock:a", waiter, 0));
            server.process.resume();

            assertThat(NodeUser.answer(released)).isEqualTo(new ReleaseAnswer.Absent());
            assertThat(((Denied) NodeUser.answer(asked)).reason()).isEqualTo(Denied.Reason.BURIED);
            assertThat(user.inspect("lock:a").waiters()).isEmpty();
            assertThat(redis.keys("*buried")).isEmpty();
        }
    }

    /** As where a majority has answered already: requests under way are released in their order. */
    @Test
    void whatIsGivenBackBeforeItIsAnsweredIsGivenBack() {
        OwnerId owner = user.newOwner();
        server.process.pause();
        CompletionStage<AcquireAnswer> asked =
                user.node.acquire(AcquireRequest.forQueuedVote("lock:a", owner, LockMode.EX, 30_000, 10_000, 1));
        CompletionStage<ReleaseAnswer> released = user.node.release(new ReleaseRequest("lock:a", owner, 0));
        server.process.resume();

        assertThat(NodeUser.answer(asked)).isInstanceOf(Granted.class);
        assertThat(NodeUser.answer(released)).isEqualTo(new ReleaseAnswer.Released());
        assertThat(redis.exists("lock:a")).isZero();
    }

    /** Else a connection would remember every owner that it ever had. */
    @Test
    void whatIsAnsweredIsForgotten() {
        OwnerId owner = user.newOwner();
        for (int i = 0; i < 2; i++) {
            redis.scriptFlush();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            assertThat(known(LuaScript.ACQUIRE, LuaScript.ACQUIRE_ALONE)).containsExactly(false, true);
            assertThat(user.extend("lock:a", owner, 1, NodeUser.TTL_MILLIS)).isInstanceOf(Granted.class);
            redis.del("lock:a"); // not released: that would remove it too
        }
    }

    /** The one that waits is known of by the push, so the release is for both at once. */
    @Test
    void aReleaseOfOneThatOthersWaitForIsNotAskedTwice() {
        OwnerId holder = user.newOwner();
        user.acquire("lock:a", holder);
        try (NodeUser other = NodeUser.open(server.nodeUri()).connected()) {
            OwnerId waiter = other.newOwner();
            assertThat(other.acquire("lock:a", waiter, LockMode.EX, true)).isInstanceOf(Queued.class);
            await().until(() -> user.told.count("contended lock:a " + holder) == 1);
            redis.scriptFlush();

            assertThat(user.release("lock:a", holder)).isEqualTo(new ReleaseAnswer.Released());

            assertThat(known(LuaScript.RELEASE, LuaScript.RELEASE_ALONE)).containsExactly(true, false);
            await().until(() -> other.told.count("granted lock:a " + waiter) == 1);
        }
    }

    @Test
    void aReleaseOfWhatIsNotOursIsAskedAgainAndTakesNothing() {
        OwnerId holder = user.newOwner();
        user.acquire("lock:a", holder);
        assertThat(user.release("lock:a", user.newOwner())).isEqualTo(new ReleaseAnswer.Absent());
        assertThat(user.inspect("lock:a").holders()).hasSize(1);
    }

    /** No request of ours has one; a client that got it wrong must not delete a vote with it. */
    @Test
    @DisplayName("S17: an extension with a ttl of 0 or less deletes the key")
    void s17_aTtlOfNothingOrLessEndsNoVoteAndMakesNone() {
        OwnerId holder = user.newOwner();
        user.acquire("lock:a", holder);
        for (String ttl : List.of("0", "-1", "-9223372036854775808")) {
            assertThatThrownBy(() -> redis.eval(
                            LuaScript.ACQUIRE.text(),
                            ScriptOutputType.MULTI,
                            LockKeys.of("lock:b"),
                            user.newOwner().toString(),
                            ttl,
                            "1000",
                            "1",
                            "0"))
                    .hasMessageContaining("invalid expire");
            for (String floor : List.of("0", "1")) {
                List<Object> answer = redis.eval(
                        LuaScript.ACQUIRE.text(),
                        ScriptOutputType.MULTI,
                        LockKeys.of("lock:a"),
                        holder.toString(),
                        ttl,
                        "1000",
                        "1",
                        "0",
                        "EX",
                        "1",
                        floor,
                        "1");
                assertThat(answer).startsWith("GRANTED");
            }
        }
        assertThat(redis.pttl("lock:a")).isBetween(NodeUser.TTL_MILLIS - 10_000, NodeUser.TTL_MILLIS);
        assertThat(redis.exists("lock:b")).isZero();
    }

    @Test
    void atMaxmemoryVotesAreProlongedAndReleased() {
        OwnerId holder = user.newOwner();
        OwnerId reader = user.newOwner();
        Granted granted = (Granted) user.acquire("lock:a", holder);
        user.acquire("lock:b", reader, LockMode.PR, false);
        user.acquire("lock:a", user.newOwner(), LockMode.EX, true);
        redis.configSet("maxmemory", "1");
        try {
            Unavailable refused = (Unavailable) user.acquire("lock:c", user.newOwner());
            assertThat(refused.reason()).contains("maxmemory");
            assertThat(refused.maybeExecuted()).isFalse();
            assertThat(user.extend("lock:a", holder, granted.fence(), 60_000)).isInstanceOf(Granted.class);
            assertThat(redis.pttl("lock:a")).isGreaterThan(50_000);
            assertThat(user.release("lock:b", reader)).isEqualTo(new ReleaseAnswer.Released());
            assertThat(user.release("lock:a", holder)).isEqualTo(new ReleaseAnswer.Released());
            assertThat(NodeUser.answer(user.node.release(new ReleaseRequest("lock:d", user.newOwner(), 1000))))
                    .as("a burial is best effort")
                    .isEqualTo(new ReleaseAnswer.Absent());
        } finally {
            redis.configSet("maxmemory", "0");
        }
    }

    @Test
    void listsWhatIsInUse() {
        user.acquire("lock:b", user.newOwner());
        user.acquire("lock:a", user.newOwner(), LockMode.PR, false);
        user.acquire("lock:{tag}x", user.newOwner(), LockMode.NL, false);
        user.acquire("other", user.newOwner());
        OwnerId gone = user.newOwner();
        user.acquire("lock:gone", gone);
        user.release("lock:gone", gone);
        NodeUser.answer(user.node.release(new ReleaseRequest("lock:sealed", gone, 0, Seal.now(gone, 10_000))));
        assertThat(NodeUser.answer(user.node.list("lock:", 10)))
                .isEqualTo(new ListAnswer.Names(List.of("lock:a", "lock:b", "lock:sealed", "lock:{tag}x"), true));
        assertThat(NodeUser.answer(user.node.list("lock:", 2)))
                .isEqualTo(new ListAnswer.Names(List.of("lock:a", "lock:b"), false));
        assertThat(NodeUser.answer(user.node.list("lock:*", 10))).isEqualTo(new ListAnswer.Names(List.of(), true));
    }

    @Test
    void saysHowItIs() {
        NodeStatus status = user.status();
        assertThat(status.state()).isEqualTo(NodeStatus.State.UP);
        assertThat(status.name()).isEqualTo(server.nodeUri());
        assertThat(status.server().version()).matches("(redis|valkey) \\d+\\.\\d+\\.\\d+");
        assertThat(status.server().id()).hasSize(40);
        assertThat(status.roundTrip()).isPositive();
        assertThat(status.server().clockOffset()).isBetween(Duration.ofSeconds(-1), Duration.ofSeconds(1));
        assertThat(status.server().warnings()).isEmpty();
        redis.configSet("maxmemory", "1gb");
        redis.configSet("maxmemory-policy", "allkeys-lru");
        try {
            assertThat(user.status().server().warnings())
                    .singleElement()
                    .asString()
                    .contains("allkeys-lru", "noeviction");
        } finally {
            redis.configSet("maxmemory", "0");
            redis.configSet("maxmemory-policy", "noeviction");
        }
    }

    @Test
    void afterCloseEverythingIsUnavailable() {
        user.node.close();
        user.node.close();
        assertThat(user.acquire("lock:a", user.newOwner())).isEqualTo(new Unavailable("not connected: closed", false));
        assertThat(user.status().state()).isEqualTo(NodeStatus.State.DOWN);
    }

    @Test
    void databasesLieSideBySide() {
        try (NodeUser other =
                NodeUser.open("redis://127.0.0.1:" + server.port + "/3").connected()) {
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(other.acquire("lock:a", other.newOwner())).isInstanceOf(Granted.class);
        }
    }

    /** The script's own time is enough for such a place to end. */
    @Test
    void aPlaceInTheQueueThatEndsAtOnceIsNoError() {
        user.acquire("lock:a", user.newOwner());
        for (int i = 0; i < 300; i++) {
            AcquireRequest brief = AcquireRequest.forQueuedVote("lock:a", user.newOwner(), LockMode.EX, 1_000, 1, 1);
            assertThat(NodeUser.answer(user.node.acquire(brief))).isInstanceOf(Queued.class);
        }
    }
}
