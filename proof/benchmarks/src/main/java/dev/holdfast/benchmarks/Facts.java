package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.scenario.BenchmarkSettings;
import dev.holdfast.benchmarks.world.EtcdProcess;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.WorkerProcess;
import dev.holdfast.report.MachineFacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The facts of a run: the machine, the versions and the settings. */
final class Facts {

    private static final Pattern ALLOCATOR = Pattern.compile("mem_allocator:(\\S+)");

    private Facts() {}

    static List<String> of(BenchmarkSettings settings, Servers servers, String loadBefore) {
        List<String> facts = new ArrayList<>();
        facts.add("date: " + now());
        facts.add(String.format(
                Locale.ROOT,
                "rounds: %d of %s s each, after turns that do not count, until a side's compiler is at rest, for %s s at most",
                settings.rounds(),
                settings.seconds(),
                settings.warmUp()));
        facts.addAll(MachineFacts.lines());
        facts.add("load of the machine (average of a minute): " + loadBefore + " before, " + load() + " after");
        facts.add("the servers' allocator: " + allocator(servers)
                + "; nothing is written to disk; clients and servers on one machine, over the loopback");
        facts.add("each client's JVM: `" + String.join(" ", WorkerProcess.JVM_OPTIONS) + "`");
        facts.add("versions: " + String.join(", ", versions()));
        EtcdProcess.version().ifPresent(version -> facts.add("etcd: " + version));
        return facts;
    }

    /** Returns the name of a run. */
    static String now() {
        return LocalDateTime.now(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.MINUTES)
                        .toString()
                        .replace('T', ' ') + " UTC";
    }

    static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    private static String allocator(Servers servers) {
        Matcher matcher = ALLOCATOR.matcher(String.valueOf(servers.server(0).send("INFO", "memory")));
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    /** Returns the versions that the build has recorded. */
    private static List<String> versions() {
        Properties versions = new Properties();
        try (InputStream in = Facts.class.getResourceAsStream("versions.properties")) {
            versions.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions.stringPropertyNames().stream()
                .sorted()
                .map(name -> name.replace('_', ' ') + " " + versions.getProperty(name))
                .toList();
    }
}
