package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.redis.process.RedisProcess;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What servers have done so far, as they say themselves.
 *
 * @param cpuMicros processor time, of all of them
 * @param scripts scripts that clients asked for
 */
record ServerTime(double cpuMicros, double scripts) {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=([0-9]+)");
    private static final double MICROS = 1e6;

    /** Of the first so many servers. */
    static ServerTime of(Servers servers, int count) {
        return IntStream.range(0, count)
                .mapToObj(server -> of(servers.server(server)))
                .reduce(new ServerTime(0, 0), ServerTime::plus);
    }

    /** Of one of them, from 0. */
    static ServerTime at(Servers servers, int index) {
        return of(servers.server(index));
    }

    private static ServerTime of(RedisProcess server) {
        String cpu = String.valueOf(server.send("INFO", "cpu"));
        String commands = String.valueOf(server.send("INFO", "commandstats"));
        return new ServerTime(sum(CPU, cpu) * MICROS, sum(SCRIPTS, commands));
    }

    private static double sum(Pattern number, String text) {
        return number.matcher(text)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    private ServerTime plus(ServerTime other) {
        return new ServerTime(cpuMicros + other.cpuMicros, scripts + other.scripts);
    }

    double microsSince(ServerTime before) {
        return cpuMicros - before.cpuMicros;
    }

    double scriptsSince(ServerTime before) {
        return scripts - before.scripts;
    }
}
