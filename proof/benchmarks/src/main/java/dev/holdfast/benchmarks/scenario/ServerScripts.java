package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.BareScripts;
import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.script.LuaScript;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server's own time for each command, by its own clock. */
public final class ServerScripts implements Scenario {

    public static final String NAME = "scripts";
    public static final String SETTING = "at the server, without the network";

    private static final int TIMES = 5_000;
    private static final String SET_NX = "SET NX PX";
    private static final String DELETE_IF_SAME = "delete if the same";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How long does the server take for Holdfast's two scripts for a free lock, and for the floor's two commands? `INFO commandstats` after "
                + TIMES + " free locks, one after the other.";
    }

    @Override
    public void run(World world) throws Exception {
        try (RedisConsole console = world.servers().server(0).console()) {
            for (LuaScript script : List.of(LuaScript.ACQUIRE_ALONE, LuaScript.RELEASE_ALONE)) {
                console.send("SCRIPT", "LOAD", script.text());
            }
            String deleteIfSame = String.valueOf(console.send("SCRIPT", "LOAD", BareScripts.DELETE_IF_SAME));
            for (int round = 0; round <= world.settings().rounds(); round++) {
                world.servers().sweep();
                add(world, round, "acquire-alone.lua", micros(console, "evalsha", BareScripts::acquire));
                add(world, round, "release-alone.lua", micros(console, "evalsha", BareScripts::release));
                add(
                        world,
                        round,
                        SET_NX,
                        micros(console, "set", i -> List.of("SET", "raw-" + i, "v", "NX", "PX", "30000")));
                add(
                        world,
                        round,
                        DELETE_IF_SAME,
                        micros(console, "evalsha", i -> List.of("EVALSHA", deleteIfSame, "1", "raw-" + i, "v")));
            }
        }
        world.show(NAME, SETTING);
    }

    private static double micros(RedisConsole console, String command, IntFunction<List<String>> request)
            throws IOException {
        console.send("CONFIG", "RESETSTAT");
        for (int i = 0; i < TIMES; i++) {
            console.send(request.apply(i).toArray(String[]::new));
        }
        String stats = String.valueOf(console.send("INFO", "commandstats"));
        Matcher matcher = Pattern.compile("cmdstat_" + command + ":.*?usec_per_call=([0-9.]+)")
                .matcher(stats);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + command + " in " + stats);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static void add(World world, int round, String what, double micros) {
        if (round > 0) {
            world.figures().add(new Figure(NAME, SETTING, what, Metric.SERVER_TIME, round, micros));
        }
    }
}
