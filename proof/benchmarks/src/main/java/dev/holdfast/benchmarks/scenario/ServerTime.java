package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.redis.process.RedisProcess;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The work of servers so far, by their own account.
 *
 * @param cpuMicros the processor time of all of them, in microseconds
 * @param scripts the number of scripts that clients ran
 */
record ServerTime(double cpuMicros, double scripts) {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=([0-9]+)");
    private static final double MICROS = 1e6;

    /** Returns the work of the first {@code count} servers. */
    static ServerTime of(Servers servers, int count) {
        return IntStream.range(0, count)
                .mapToObj(server -> of(servers.server(server)))
                .reduce(new ServerTime(0, 0), ServerTime::plus);
    }

    /** Returns the work of one server, from 0. */
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
