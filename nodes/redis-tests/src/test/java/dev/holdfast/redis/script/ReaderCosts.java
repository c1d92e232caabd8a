package dev.holdfast.redis.script;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.redis.TestServer;
import dev.holdfast.redis.process.RedisProcess;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The cost of requests at the server where clients share a lock: how often each command runs. A script that reads every reader costs more with more of
 * them, which the comparison of states does not notice.
 */
public final class ReaderCosts implements Function<RedisProcess, String> {

    static final String LOCK = "lock:shared";
    static final long TTL_MILLIS = 600_000;

    /** Whether a key must live longer depends on the millisecond, which makes a few commands of difference. */
    private static final long MARGIN = 4;

    /** Each looks at a whole key. */
    private static final Set<String> OF_A_WHOLE_KEY = Set.of("hgetall", "hkeys", "hvals", "zscan", "hscan");

    private static final String MICROSECONDS = "~microseconds";

    private StatefulRedisConnection<String, String> connection;

    /** For the loader of a mutant. */
    public ReaderCosts() {}

    /** Loads the scripts at this server. */
    ReaderCosts(StatefulRedisConnection<String, String> connection) {
        connectTo(connection);
    }

    private void connectTo(StatefulRedisConnection<String, String> to) {
        connection = to;
        for (LuaScript script : LuaScript.values()) {
            connection.sync().scriptLoad(script.text());
        }
    }

    /** Compares the costs at a server that runs and is empty; gives what was noticed, '' if nothing was. */
    @Override
    public String apply(RedisProcess process) {
        try (TestServer server = TestServer.at(process)) {
            connectTo(server.client().connect(server.uri()));
            return noticed();
        }
    }

    /** Compares the costs with 100 readers and with 500; gives the first difference, '' if there is none. */
    String noticed() {
        read(1, 100);
        TreeMap<String, Long> few = costs();
        read(101, 500);
        TreeMap<String, Long> many = costs();
        TreeSet<String> commands = new TreeSet<>(many.keySet());
        commands.remove(MICROSECONDS);
        for (String command : commands) {
            long before = few.getOrDefault(command, 0L);
            if (Math.abs(many.get(command) - before) > MARGIN) {
                return many.get(command) + " times " + command + " with 500 readers, " + before + " times with 100";
            }
            if (OF_A_WHOLE_KEY.contains(command)) {
                return many.get(command) + " times " + command + ", which looks at a whole key";
            }
        }
        return "";
    }

    static OwnerId reader(long ticket) {
        return new OwnerId("reader~00000000", ticket, 0);
    }

    AcquireCall acquire(long ticket, LockMode mode, boolean queue, long floor) {
        return new AcquireCall(
                new AcquireRequest(
                        LOCK,
                        reader(ticket),
                        mode,
                        new AcquireRequest.Terms(TTL_MILLIS, TTL_MILLIS, 1),
                        queue,
                        new AcquireRequest.Update(floor, floor > 0, null)),
                TTL_MILLIS,
                1);
    }

    ReleaseCall release(long ticket) {
        return new ReleaseCall(new ReleaseRequest(LOCK, reader(ticket), 0), TTL_MILLIS, 1);
    }

    Reply eval(ScriptCall<?> call) {
        return (Reply) send(call).join();
    }

    CompletableFuture<Object> send(ScriptCall<?> call) {
        return connection
                .async()
                .dispatch(CommandType.EVALSHA, new ScriptOutput(), call.commandArgs(true))
                .toCompletableFuture();
    }

    /** Lets readers with these tickets have the lock. */
    void read(long first, long last) {
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        for (long ticket = first; ticket <= last; ticket++) {
            answers.add(send(acquire(16 * ticket, LockMode.PR, false, 0)));
        }
        answers.forEach(CompletableFuture::join);
    }

    /** One of each: a reader acquires, extends, and fails to write; a writer queues, retries and cancels; the reader releases. */
    private List<String> oneOfEach() {
        List<String> answers = new ArrayList<>();
        Reply granted = eval(acquire(7, LockMode.PR, false, 0));
        answers.add(granted.text(0));
        answers.add(eval(acquire(7, LockMode.PR, false, granted.fence(1))).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, false, 0)).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, true, 0)).text(0));
        answers.add(eval(acquire(1L << 40, LockMode.EX, true, 0)).text(0));
        answers.add(eval(acquire(7, LockMode.PR, false, granted.fence(1))).text(2));
        eval(release(1L << 40));
        eval(release(7));
        return answers;
    }

    /** How often each command ran, and the microseconds of all scripts, for one of each request. */
    TreeMap<String, Long> costs() {
        oneOfEach(); // what has to be made once is there
        connection.sync().configResetstat();
        List<String> answers = oneOfEach();
        List<String> expected = List.of(
                "GRANTED",
                "GRANTED",
                "DENIED",
                "QUEUED",
                "QUEUED",
                reader(1L << 40).toString());
        if (!answers.equals(expected)) {
            throw new IllegalStateException(answers + " instead of " + expected);
        }
        TreeMap<String, Long> calls = new TreeMap<>();
        for (String line : connection.sync().info("commandstats").split("\r\n")) {
            if (line.startsWith("cmdstat_")) {
                String command = line.substring("cmdstat_".length(), line.indexOf(':'));
                calls.put(command, Long.parseLong(line.replaceAll(".*:calls=(\\d+).*", "$1")));
                if (command.equals("evalsha")) {
                    calls.put(MICROSECONDS, Long.parseLong(line.replaceAll(".*,usec=(\\d+).*", "$1")));
                }
            }
        }
        return calls;
    }
}
