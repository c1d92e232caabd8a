package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.NodeUser;
import dev.holdfast.redis.TestServer;
import dev.holdfast.redis.script.LockKeys;
import dev.holdfast.redis.script.LuaScript;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many leases that are extended at the same time: few requests, and each answer is what it would have been alone. */
class ExtensionBatchesTest {

    private static final long LONG_MILLIS = 90_000;
    /** So that a server that stands still for a while is not taken for one that is gone. */
    private static final NodeOptions PATIENT = NodeOptions.defaults().connectTimeout(Duration.ofSeconds(30));

    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    private TestServer server;
    private NodeUser user;

    /** A vote, and the fence that it was granted with. */
    private record Vote(String resource, OwnerId owner, long fence) {}

    @BeforeEach
    void connect() {
        server = TestServer.start();
        user = NodeUser.open(server.nodeUri(), PATIENT, 0).connected();
    }

    @AfterEach
    void close() {
        user.close();
        server.close();
    }

    /** For a lock that has been used with the longer ttl before: an extension that is the first one to ask for so long goes alone. */
    private Vote vote(String resource) {
        OwnerId owner = user.newOwner();
        server.process.send("SET", LockKeys.side(resource, "ttl"), Long.toString(LONG_MILLIS), "PX", "3600000");
        return new Vote(resource, owner, ((Granted) user.acquire(resource, owner)).fence());
    }

    private List<Vote> votes(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> vote(prefix + i)).toList();
    }

    private CompletableFuture<AcquireAnswer> ask(Vote vote) {
        return user.node
                .acquire(AcquireRequest.forVote(vote.resource(), vote.owner(), LockMode.EX, LONG_MILLIS, 10_000, 1)
                        .extending(vote.fence(), null))
                .toCompletableFuture();
    }

    private List<CompletableFuture<AcquireAnswer>> askAll(List<Vote> votes) {
        return votes.stream().map(this::ask).toList();
    }

    private List<AcquireAnswer> extendAtOnce(List<Vote> votes) {
        return askAll(votes).stream().map(NodeUser::answer).toList();
    }

    private List<AcquireAnswer> extendOneByOne(List<Vote> votes) {
        return votes.stream().map(vote -> NodeUser.answer(ask(vote))).toList();
    }

    private long scriptsRun() {
        String stats = String.valueOf(server.process.send("INFO", "commandstats"));
        Matcher found = SCRIPTS.matcher(stats);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private long remainingMillis(Vote vote) {
        return user.inspect(vote.resource()).holders().get(0).remainingMillis().orElseThrow();
    }

    private static List<AcquireAnswer> granted(List<Vote> votes) {
        return votes.stream()
                .<AcquireAnswer>map(
                        vote -> new Granted(vote.fence(), null, vote.owner().attempt()))
                .toList();
    }

    @Test
    void c11_aRequestThatCanNotBeSentDoesNotHoldUpThoseBehindIt() {
        ExtensionOrder order = new ExtensionOrder();
        List<String> sent = new ArrayList<>();
        order.send("lock:a", true, () -> {});
        order.send("lock:a", false, () -> {
            throw new IllegalStateException("a test");
        });
        order.send("lock:a", false, () -> sent.add("release"));
        try {
            order.answered("lock:a");
        } catch (IllegalStateException e) {
            // as a thread that completes a stage does not notice
        }
        order.send("lock:a", false, () -> sent.add("acquire"));

        assertThat(sent).containsExactly("release", "acquire");
    }

    @Test
    void aServerThatRefusesAllForAWhileDoesNotEndTheBatches() {
        List<Vote> votes = votes("lock:", 320);
        server.process.send("ACL", "SETUSER", "default", "-evalsha");
        assertThat(extendAtOnce(votes)).hasAtLeastOneElementOfType(Unavailable.class);
        server.process.send("ACL", "SETUSER", "default", "+evalsha");
        long before = scriptsRun();
        server.process.pause();
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        server.process.resume();

        assertThat(asked.stream().map(NodeUser::answer).toList()).isEqualTo(granted(votes));
        assertThat(scriptsRun() - before).isLessThan(20);
    }

    @Test
    void manyAreFewRequests() {
        List<Vote> votes = votes("lock:", 320);
        long before = scriptsRun();
        server.process.pause(); // so that none is answered before all are asked for
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        server.process.resume();

        assertThat(asked.stream().map(NodeUser::answer).toList()).isEqualTo(granted(votes));
        assertThat(scriptsRun() - before).as("the first, and 319 others").isBetween(11L, 12L);
        assertThat(votes).allMatch(vote -> remainingMillis(vote) > NodeUser.TTL_MILLIS);
    }

    @Test
    void oneAloneIsTheUsualRequest() {
        Vote vote = vote("lock:a");
        server.send(CommandType.SCRIPT, "FLUSH");

        assertThat(NodeUser.answer(ask(vote))).isInstanceOf(Granted.class);

        assertThat(scriptsKnown()).containsExactly(true, false);
    }

    private List<Boolean> scriptsKnown() {
        List<?> known =
                (List<?>) server.process.send("SCRIPT", "EXISTS", LuaScript.ACQUIRE.sha1(), LuaScript.EXTEND.sha1());
        return known.stream().map(one -> String.valueOf(one).equals("1")).toList();
    }

    /** The state of the server that each of these meets, the same in two runs. */
    private List<Vote> inAllSituations(String prefix) {
        List<Vote> all = new ArrayList<>(votes(prefix, 12));
        Vote released = all.get(1);
        user.release(released.resource(), released.owner());
        Vote anothers = all.get(2);
        user.release(anothers.resource(), anothers.owner());
        vote(anothers.resource());
        Vote buried = all.get(3);
        NodeUser.answer(user.node.release(new ReleaseRequest(buried.resource(), buried.owner(), 60_000)));
        Vote sealed = all.get(4);
        NodeUser.answer(user.node.release(new ReleaseRequest(
                sealed.resource(), sealed.owner(), 0, new Seal(sealed.owner().toString(), 0, 60_000))));
        user.acquire(all.get(5).resource(), user.newOwner(), LockMode.EX, true); // waits
        Vote foreign = all.get(6);
        server.process.send("SET", foreign.resource(), "not ours");
        server.process.send("DEL", all.get(7).resource());
        server.process.send("HSET", all.get(7).resource(), "a", "b");
        server.process.send("DEL", LockKeys.side(all.get(8).resource(), "fence"));
        Vote written = all.get(9);
        NodeUser.answer(user.node.acquire(
                AcquireRequest.forVote(written.resource(), written.owner(), LockMode.EX, 30_000, 10_000, 1)
                        .extending(written.fence(), new LockValue(written.fence(), 1, "text"))));
        server.process.send("PEXPIRE", LockKeys.side(written.resource(), "value"), "20000");
        Vote floorTooHigh = all.get(10);
        all.set(10, new Vote(floorTooHigh.resource(), floorTooHigh.owner(), floorTooHigh.fence() + 1));
        Vote beside = all.get(11); // another attempt has a tombstone here, which does not concern this one
        NodeUser.answer(user.node.release(new ReleaseRequest(beside.resource(), user.newOwner(), 60_000)));
        return all;
    }

    /** Without what differs from vote to vote. */
    private static String kind(AcquireAnswer answer, Vote vote) {
        if (answer instanceof Granted granted) {
            boolean contended = granted.contender() != null;
            return "granted" + (granted.fence() < vote.fence() ? ", too low" : "") + (contended ? ", contended" : "");
        }
        if (answer instanceof Denied denied) {
            return "denied, " + denied.reason() + ", "
                    + (denied.blocker() == null ? null : denied.blocker().kind());
        }
        return answer.getClass().getSimpleName();
    }

    private static List<String> kinds(List<AcquireAnswer> answers, List<Vote> votes) {
        return IntStream.range(0, votes.size())
                .mapToObj(i -> kind(answers.get(i), votes.get(i)))
                .toList();
    }

    @Test
    void theAnswersAreThoseThatEachWouldHaveHadAlone() {
        List<Vote> first = inAllSituations("lock:first:");
        List<Vote> second = inAllSituations("lock:second:");

        List<String> alone = kinds(extendOneByOne(first), first);
        List<String> together = kinds(extendAtOnce(second), second);

        assertThat(together).isEqualTo(alone);
        assertThat(alone.stream().distinct()).as("kinds of answers").hasSizeGreaterThan(5);
        for (int i = 0; i < first.size(); i++) {
            assertThat(user.inspect(second.get(i).resource()).holders())
                    .as("%d", i)
                    .hasSameSizeAs(user.inspect(first.get(i).resource()).holders());
        }
        Object valueStays = server.process.send("PTTL", LockKeys.side("lock:second:9", "value"));
        assertThat(Long.parseLong(String.valueOf(valueStays))).isGreaterThan(20_000);
    }

    @Test
    void aServerThatHasForgottenTheScriptIsGivenIt() {
        List<Vote> votes = votes("lock:", 64);
        server.send(CommandType.SCRIPT, "FLUSH");

        assertThat(extendAtOnce(votes)).isEqualTo(granted(votes));
        assertThat(scriptsKnown()).containsExactly(true, true);
    }

    /** Of a key that is no fence the script says an error, without a word of the others. */
    @Test
    void oneThatMakesTheScriptFailIsNoHarmToTheOthers() {
        List<Vote> votes = votes("lock:", 64);
        String fence = LockKeys.side("lock:40", "fence");
        server.process.send("DEL", fence);
        server.process.send("LPUSH", fence, "x");

        List<AcquireAnswer> answers = extendAtOnce(votes);

        assertThat(answers.get(40)).isInstanceOf(Unavailable.class);
        assertThat(answers.subList(0, 40)).isEqualTo(granted(votes.subList(0, 40)));
        assertThat(answers.subList(41, 64)).isEqualTo(granted(votes.subList(41, 64)));
        assertThat(extendAtOnce(votes.subList(0, 40))).isEqualTo(granted(votes.subList(0, 40)));
    }

    @Test
    void whatWaitsWhenTheConnectionEndsIsAnswered() {
        List<Vote> votes = votes("lock:", 100);
        server.process.pause();
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        assertThat(asked).noneMatch(CompletableFuture::isDone);
        server.process.kill();

        assertThat(asked.stream().map(NodeUser::answer)).allMatch(Unavailable.class::isInstance);
    }

    @Test
    void whatWaitsWhileTheServerStandsStillIsAnsweredThen() {
        List<Vote> votes = votes("lock:", 100);
        server.process.pause();
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        server.process.resume();

        assertThat(asked.stream().map(NodeUser::answer).toList()).isEqualTo(granted(votes));
    }

    @Test
    void whatWaitsWhenTheNodeIsClosedIsAnswered() {
        List<Vote> votes = votes("lock:", 100);
        server.process.pause();
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        user.close();

        await().until(() -> asked.stream().allMatch(CompletableFuture::isDone));
        server.process.resume();
    }

    /** An extension that arrives after the release would restore the released vote. */
    @Test
    void aReleaseDoesNotOvertakeTheExtensionOfItsLease() {
        List<Vote> votes = votes("lock:", 3);
        server.process.pause();
        List<CompletableFuture<AcquireAnswer>> asked = askAll(votes);
        List<CompletionStage<ReleaseAnswer>> released = votes.stream()
                .map(vote -> user.node.release(new ReleaseRequest(vote.resource(), vote.owner(), 0)))
                .toList();
        server.process.resume();

        assertThat(asked.stream().map(NodeUser::answer).toList()).isEqualTo(granted(votes));
        assertThat(released.stream().map(NodeUser::answer)).allMatch(ReleaseAnswer.Released.class::isInstance);
        assertThat(votes)
                .allMatch(vote -> user.inspect(vote.resource()).holders().isEmpty());
    }

    /** All requests for a lock are sent in order, and each finds the state that the one before has left, also where the extension is re-sent. */
    @Test
    void allAboutOneLockStaysInOrder() {
        List<Vote> votes = votes("lock:", 60);
        for (Vote vote : votes.subList(0, 30)) {
            user.acquire(vote.resource(), user.newOwner(), LockMode.EX, true); // so that EXTEND leaves it to ACQUIRE
        }
        List<CompletionStage<?>> asked = new ArrayList<>();
        for (int turn = 0; turn < 20; turn++) {
            for (int i = 0; i < votes.size(); i++) {
                Vote vote = votes.get(i);
                asked.add(ask(vote));
                asked.add(ask(vote));
                if (i >= 30) {
                    asked.add(user.node.release(new ReleaseRequest(vote.resource(), vote.owner(), 0)));
                    asked.add(user.node.acquire(AcquireRequest.forVote(
                            vote.resource(), vote.owner(), LockMode.EX, LONG_MILLIS, 10_000, 1)));
                }
            }
        }

        assertThat(asked.stream().map(NodeUser::answer))
                .allMatch(answer -> answer instanceof Granted || answer instanceof ReleaseAnswer.Released);
    }

    @Test
    void aHundredThousandThingsBehindAnExtensionAreAnsweredWhenTheConnectionEnds() {
        Vote vote = vote("lock:a");
        server.process.pause();
        List<CompletionStage<?>> asked = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            asked.add(ask(vote));
            asked.add(user.node.inspect(vote.resource()));
        }
        server.process.kill();

        assertThat(asked.stream().map(NodeUser::answer)).allMatch(Unavailable.class::isInstance);
    }
}
