package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.Push;
import dev.holdfast.redis.TestServer;
import dev.holdfast.testkit.Effort;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The scripts on a real server against {@link dev.holdfast.node.LockTable}: random operations must give equal answers, equal pushes and
 * equal states.
 *
 * <p>Many resources are in flight at once, each with at most one operation, between two readings of the server's clock. Where an
 * expiry is too near to tell on which side of it the server was, the driver lets it pass first.
 *
 * <p>Another run: {@code -Dholdfast.seed=…}, {@code -Dholdfast.operations=…}.
 */
@Tag("slow")
class LuaAgainstLockTableTest {

    private static final int RESOURCES = 32;

    /**
     * Returns '' if the three keys of the queue agree and last as long as its last entry, and the key of the others lasts as long as they do. Otherwise
     * returns the contents of the keys.
     */
    private static final String UNEVEN = """
            local others = redis.call('PTTL', KEYS[10])
            for _, key in ipairs({KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[9]}) do
              if redis.call('PTTL', key) > others then
                return key .. ' for ' .. redis.call('PTTL', key) .. ', its others for ' .. others
              end
            end
            local fields = redis.call('HLEN', KEYS[4])
            if fields > 0 and redis.call('ZCARD', KEYS[11]) ~= 2 * (fields - 1) then
              return fields .. ' fields of shared votes, ' .. redis.call('ZCARD', KEYS[11]) .. ' members of their index'
            end
            local last = redis.call('ZREVRANGE', KEYS[7], 0, 0, 'WITHSCORES')[2]
            local lines = {
              redis.call('ZRANGE', KEYS[3], 0, -1), redis.call('ZRANGE', KEYS[7], 0, -1), redis.call('HKEYS', KEYS[8])}
            local even, shortest, shown = true, math.huge, {}
            for i, key in ipairs({KEYS[3], KEYS[7], KEYS[8]}) do
              local remaining = redis.call('PTTL', key)
              table.sort(lines[i])
              lines[i] = table.concat(lines[i], ' ')
              even = even and lines[i] == lines[1]
              shortest = math.min(shortest, remaining)
              shown[i] = lines[i] .. ' for ' .. remaining
            end
            local time = redis.call('TIME') -- afterwards, so that a pause in between does no harm
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            if even and (not last or shortest >= last - now) then
              return ''
            end
            return table.concat(shown, '; ') .. '; last ' .. (last or 'none') .. ', now ' .. now
            """;

    private final long seed = Long.getLong("holdfast.seed", 20260701L);
    private int operations = Integer.getInteger("holdfast.operations", Effort.of(40_000, 100_000));
    private int done;
    private int unclear;
    private final Map<String, List<Push>> pushes = new HashMap<>();

    private TestServer server;
    private StatefulRedisPubSubConnection<String, String> connection;

    @BeforeEach
    void connect() throws Exception {
        connect(TestServer.start());
    }

    private void connect(TestServer to) {
        server = to;
        connection = server.client().connectPubSub(StringCodec.UTF8, server.uri());
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String pattern, String channel, String message) {
                Push push = PushMessage.parse(message).orElseThrow(() -> new AssertionError("no push: " + message));
                assertThat(channel).isEqualTo(PushMessage.CHANNEL + push.owner().client());
                synchronized (pushes) {
                    pushes.computeIfAbsent(push.resource(), any -> new ArrayList<>())
                            .add(push);
                }
            }
        });
        connection.sync().psubscribe(PushMessage.CHANNEL + "*");
        for (LuaScript script : LuaScript.values()) {
            assertThat(connection.sync().scriptLoad(script.text())).isEqualTo(script.sha1());
        }
        connection.setAutoFlushCommands(false);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void equalAnswersPushesAndStates(TestReporter reporter) throws Exception {
        List<ComparedResource> resources = play();
        assertThat(unclear) // a twentieth on a machine with nothing else to do; all that were to be compared were,
                // of any kind
                .as("operations too near to an expiry to compare")
                .isLessThan(operations);
        assertThat(ComparedResource.tally(resources))
                .as("whether EXTEND had something to do")
                .containsKeys("extended", "not extended")
                .containsKeys("ACQUIRE_ALONE", "ACQUIRE_ALONE not", "RELEASE_ALONE", "RELEASE_ALONE not");
        reporter.publishEntry(
                "Compared " + done + " operations, " + unclear + " unclear: " + ComparedResource.tally(resources));
    }

    /** Plays some operations at a server. Gives what was noticed, after how many operations; '' if nothing was. */
    static String noticed(TestServer at, int operations) throws Exception {
        LuaAgainstLockTableTest test = new LuaAgainstLockTableTest();
        test.operations = operations;
        test.connect(at);
        try {
            test.play();
            return "";
        } catch (AssertionError e) {
            return test.done + " " + e.getMessage();
        } finally {
            test.close();
        }
    }

    private List<ComparedResource> play() throws Exception {
        Random random = new Random(seed);
        List<ComparedResource> resources = IntStream.range(0, RESOURCES)
                .mapToObj(i -> new ComparedResource(
                        "lock:" + (i % 4 == 3 ? "{tag" + i + "}:x" : "r" + i),
                        i % 8 < 2,
                        i % 4 == 1,
                        i % 8 == 6,
                        random))
                .toList();
        long now = serverMillis();
        for (int turn = 0; done < operations; turn++) {
            List<Step> round = new ArrayList<>();
            for (int i = turn % 2;
                    i < resources.size();
                    i += 2) { // half of them: the shorter a round, the fewer expiries fall into it
                ComparedResource resource = resources.get(i);
                if (resource.isClearOfExpiries(now)) {
                    round.add(new Step(resource, resource.nextCall(now)));
                }
            }
            round.forEach(Step::send);
            RedisFuture<List<String>> end = connection.async().time();
            connection.flushCommands();
            now = millis(end.get(10, TimeUnit.SECONDS));
            for (Step step : round) {
                boolean compared = step.compare();
                done += compared ? 1 : 0;
                unclear += compared ? 0 : 1;
            }
        }
        assertThat(pushes.values()).as("pushes that nothing explains").allMatch(List::isEmpty);
        return resources;
    }

    private long serverMillis() throws Exception {
        RedisFuture<List<String>> time = connection.async().time();
        connection.flushCommands();
        return millis(time.get(10, TimeUnit.SECONDS));
    }

    private static long millis(List<String> time) {
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    private RedisFuture<Object> eval(ScriptCall<?> call) {
        return connection.async().dispatch(CommandType.EVALSHA, new ScriptOutput(), call.commandArgs(true));
    }

    /** One operation at one resource, and the state after it. */
    private final class Step {

        private final ComparedResource resource;
        private final ScriptCall<?> call;
        private RedisFuture<List<String>> before;
        private RedisFuture<Object> answer;
        private RedisFuture<Object> state;
        private RedisFuture<String> uneven;
        private RedisFuture<List<String>> after;

        Step(ComparedResource resource, ScriptCall<?> call) {
            this.resource = resource;
            this.call = call;
        }

        void send() {
            before = connection.async().time();
            answer = eval(call);
            state = eval(new InspectCall(resource.name()));
            uneven = connection.async().eval(UNEVEN, ScriptOutputType.VALUE, LockKeys.of(resource.name()));
            after = connection.async().time();
        }

        boolean compare() throws Exception {
            List<Push> pushed;
            synchronized (pushes) {
                pushed = pushes.remove(resource.name());
            }
            try {
                assertThat(uneven.get()).as("those in line").isEmpty();
                if (resource.compare(
                        call,
                        millis(before.get()),
                        millis(after.get()),
                        (Reply) answer.get(),
                        (Reply) state.get(),
                        pushed == null ? List.of() : pushed)) {
                    return true;
                }
            } catch (AssertionError | Exception e) {
                throw new AssertionError(
                        "With -Dholdfast.seed=" + seed + ": " + e.getMessage() + "\n" + resource.history(), e);
            }
            connection.async().del(LockKeys.of(resource.name()));
            connection.flushCommands();
            resource.reset();
            return false;
        }
    }
}
