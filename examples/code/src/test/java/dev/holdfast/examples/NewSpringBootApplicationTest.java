package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first steps of a new user. Maven builds a new Spring Boot application outside of this build, with the starter from a local repository, one
 * property and one {@code @Locked} method. It runs in three instances that count together on three servers. One of
 * them is AOT-processed. Applications with mistakes do not start, and say why.
 *
 * <p>{@code -Dholdfast.new-application.spring-boot} is another version of Spring Boot, {@code .lettuce} a version of Lettuce other than the one that Spring
 * Boot manages, {@code .java} the home of another JDK to run it with.
 */
@Tag("slow")
class NewSpringBootApplicationTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    /** The folder of each module, by the end of its artifact's name. */
    private static final Map<String, Path> MODULES = Map.of(
            "core", ROOT.resolve("core"),
            "redis", ROOT.resolve("nodes/redis"),
            "postgresql", ROOT.resolve("nodes/postgresql"),
            "micrometer", ROOT.resolve("integrations/micrometer"),
            "locked", ROOT.resolve("integrations/locked"),
            "spring-boot", ROOT.resolve("integrations/spring-boot"),
            "spring-boot-3", ROOT.resolve("integrations/spring-boot-3"),
            "spring-boot-starter", ROOT.resolve("integrations/spring-boot-starter"));

    /** Mistakes, and a part of the message that tells a user of each. */
    private static final Map<String, String> TRAPS = Map.ofEntries(
            Map.entry("NoText", "whose text may differ for equal values"),
            Map.entry("ArrayKey", "which is of int[], whose text may differ for equal values"),
            Map.entry("HashCodeKey", "which calls hashCode()"),
            Map.entry("UnknownVariable", "has the variable #ordr, which is no parameter"),
            Map.entry("UnknownProperty", "has the property 'nubmer', which"),
            Map.entry("WaitingSchedule", "so each instance runs it, one after the other. Use @LockedJob"),
            Map.entry("LongWait", "Set atLeast to more than waitFor"),
            Map.entry("EndlessJob", "has no atMost"),
            Map.entry("NoDuration", "has the waitFor 'soon', which is not a duration"),
            Map.entry("WorkThatRunsLater", "its work may run after it has returned"),
            Map.entry("Order", "holdfast.locked.wait-for: it is -1 s, but must be 0 or more"),
            Map.entry("Twice", "SelfDeadlockException"));

    private static final int INSTANCES = 3;
    private static final int THREADS = 4;
    private static final int TIMES = 40;

    @TempDir
    Path folder;

    /** The properties of this build's root POM, by name. */
    private static Map<String, String> versions() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        Map<String, String> versions = new TreeMap<>();
        Matcher property = Pattern.compile("<([a-z-]+\\.version)>([^<]+)</\\1>").matcher(pom);
        while (property.find()) {
            versions.put(property.group(1), property.group(2));
        }
        Matcher own = Pattern.compile("<artifactId>holdfast-parent</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom);
        assertThat(own.find()).isTrue();
        versions.put("holdfast.version", own.group(1));
        return versions;
    }

    // ---- the local repository

    /** Installs flattened POMs, which need no parent, as a release does. */
    private static void install(String version, Path repository) throws IOException {
        Files.copy(flattened(ROOT.resolve("build/bom")), place(repository, "bom", version, ".pom"));
        for (Map.Entry<String, Path> module : MODULES.entrySet()) {
            Files.copy(flattened(module.getValue()), place(repository, module.getKey(), version, ".pom"));
            jar(module.getValue().resolve("target/classes"), place(repository, module.getKey(), version, ".jar"));
        }
    }

    private static Path flattened(Path module) {
        return module.resolve(".flattened-pom.xml");
    }

    private static Path place(Path repository, String module, String version, String kind) throws IOException {
        Path folder = repository.resolve("dev/holdfast/holdfast-" + module + "/" + version);
        return Files.createDirectories(folder).resolve("holdfast-" + module + "-" + version + kind);
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("META-INF/"));
            if (!Files.isDirectory(classes)) {
                return; // the starter has no code
            }
            try (Stream<Path> files = Files.walk(classes, FileVisitOption.FOLLOW_LINKS)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    zip.putNextEntry(
                            new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                    Files.copy(file, zip);
                }
            }
        }
    }

    // ---- the application

    private Path generate(Map<String, String> versions, List<URI> nodes) throws IOException {
        Path template = ROOT.resolve("examples/code/src/test/resources/new-spring-boot-application");
        Path application = folder.resolve("shop");
        try (Stream<Path> files = Files.walk(template)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = application.resolve(template.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, filled(Files.readString(file), versions));
            }
        }
        Path properties = application.resolve("src/main/resources/application.properties");
        Files.createDirectories(properties.getParent());
        Files.writeString(
                properties,
                "holdfast.nodes=" + nodes.stream().map(URI::toString).collect(Collectors.joining(",")) + "\n");
        return application;
    }

    private static String filled(String text, Map<String, String> versions) {
        String lettuce = System.getProperty("holdfast.new-application.lettuce");
        String filled = text.replace(
                "<!-- MANAGED -->",
                lettuce == null
                        ? ""
                        : "<dependency><groupId>io.lettuce</groupId><artifactId>lettuce-core</artifactId><version>"
                                + lettuce + "</version></dependency>");
        for (Map.Entry<String, String> version : versions.entrySet()) {
            filled = filled.replace("@" + version.getKey() + "@", version.getValue());
        }
        return filled;
    }

    /** Builds the application with Maven, offline if possible: this build has already downloaded everything that the application needs. */
    private String build(Path application, Path repository) throws Exception {
        String known = System.getProperty("local.repository");
        List<String> command = new ArrayList<>(List.of(
                ROOT.resolve("mvnw").toString(),
                "-q",
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + known,
                "-Dmdep.outputFile=classpath",
                "compile",
                "dependency:build-classpath"));
        List<String> offline = new ArrayList<>(command);
        offline.add(1, "-o");
        if (run(offline, application, "maven-offline.log") != 0) {
            assertThat(run(command, application, "maven.log"))
                    .as(() -> read(application.resolve("maven.log")))
                    .isZero();
        }
        return application.resolve("target/classes")
                + java.io.File.pathSeparator
                + Files.readString(application.resolve("classpath"));
    }

    /**
     * Processes the application ahead of time, as {@code spring-boot:process-aot} does, and returns the class path of the result. Spring decides then, and
     * not at the start, whether the application has virtual threads.
     */
    private static String processAheadOfTime(Path application, String classpath, boolean virtualThreads)
            throws Exception {
        Path target = application.resolve("target/aot-" + virtualThreads);
        Path sources = target.resolve("sources");
        Path classes = Files.createDirectories(target.resolve("classes"));
        List<String> command = List.of(
                javaHome().resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classpath,
                "org.springframework.boot.SpringApplicationAotProcessor",
                "shop.ShopApplication",
                sources.toString(),
                target.resolve("resources").toString(),
                classes.toString(),
                "shop",
                "shop",
                virtual(virtualThreads));
        assertThat(run(command, application, "aot.log"))
                .as(() -> read(application.resolve("aot.log")))
                .isZero();
        List<String> compiler = new ArrayList<>(List.of(
                javaHome().resolve("bin/javac").toString(),
                "-proc:none",
                "-cp",
                classpath + java.io.File.pathSeparator + classes,
                "-d",
                classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> compiler.add(file.toString()));
        }
        assertThat(run(compiler, application, "javac.log"))
                .as(() -> read(application.resolve("javac.log")))
                .isZero();
        return String.join(
                java.io.File.pathSeparator,
                classes.toString(),
                target.resolve("resources").toString(),
                classpath);
    }

    private static int run(List<String> command, Path directory, String log) throws Exception {
        Process process = start(command, directory, log);
        if (!process.waitFor(200, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(command.get(0) + " has not ended: " + read(directory.resolve(log)));
        }
        return process.exitValue();
    }

    private static Process start(List<String> command, Path directory, String log) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile())
                .start();
        OsProcess.endingWithThisJvm(process.toHandle());
        return process;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("holdfast.new-application.java", System.getProperty("java.home")));
    }

    /** Returns whether the application's JDK has virtual threads. */
    private static boolean hasVirtualThreads() throws IOException {
        Matcher version = Pattern.compile("JAVA_VERSION=\"(\\d+)")
                .matcher(Files.readString(javaHome().resolve("release")));
        return version.find() && Integer.parseInt(version.group(1)) >= 21;
    }

    private static String virtual(boolean threads) {
        return "--spring.threads.virtual.enabled=" + threads;
    }

    private List<String> java(String classpath, boolean processed, boolean virtualThreads) {
        return List.of(
                javaHome().resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-Dspring.aot.enabled=" + processed,
                "-cp",
                classpath,
                "shop.ShopApplication",
                virtual(virtualThreads),
                folder.resolve("stock-" + virtualThreads).toString(),
                Integer.toString(THREADS),
                Integer.toString(TIMES));
    }

    @Test
    void theTutorialShowsThisApplication() throws IOException {
        Path template = ROOT.resolve("examples/code/src/test/resources/new-spring-boot-application");
        String pom = filled(Files.readString(template.resolve("pom.xml")), versions())
                .replaceAll("(?s)\\n  <build>.*?</build>\\n", "")
                .replaceAll("(?m)^ *\\n", "");

        assertThat(Files.readString(ROOT.resolve("docs/tutorials/first-lock-spring.md"))
                        .replaceAll("(?m)^ *\\n", ""))
                .contains("```xml\n" + pom.strip() + "\n```")
                .contains("```java\n"
                        + Files.readString(template.resolve("src/main/java/shop/ShopApplication.java"))
                                .replaceAll("(?m)^ *\\n", "")
                                .strip()
                        + "\n```");
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void worksUnderLoadInThreeInstances() throws Exception {
        String springBoot = System.getProperty("holdfast.new-application.spring-boot", "");
        String lettuce = System.getProperty(
                "holdfast.new-application.lettuce",
                springBoot.isEmpty() ? versions().get("spring-boot-lettuce.version") : "");
        countTogether(springBoot.isEmpty() ? versions().get("spring-boot.version") : springBoot, lettuce, true, false);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void worksOnTheOldestSpringBoot() throws Exception {
        boolean[] threads = hasVirtualThreads() ? new boolean[] {true, false} : new boolean[] {false};
        countTogether(versions().get("oldest-spring-boot.version"), "", threads);
    }

    private void countTogether(String springBoot, String lettuce, boolean... virtualThreads) throws Exception {
        Map<String, String> versions = versions();
        versions.put("spring-boot.version", springBoot);
        Path repository = folder.resolve("repository");
        install(versions.get("holdfast.version"), repository);
        try (RedisProcesses servers = RedisProcesses.start(3)) {
            Path application = generate(versions, servers.uris());
            String classpath = build(application, repository);
            assertThat(classpath)
                    .contains("holdfast-spring-boot-starter", "spring-boot-" + springBoot, "lettuce-core-" + lettuce);
            String processed = "";
            for (boolean virtual : virtualThreads) {
                if (processed.isEmpty() || hasVirtualThreads()) {
                    processed = processAheadOfTime(application, classpath, virtual);
                }
                countTogether(application, classpath, processed, virtual);
            }
            meetTraps(application, classpath);
        }
    }

    /** Starts applications with one mistake each. */
    private static void meetTraps(Path application, String classpath) throws Exception {
        List<String> command = List.of(
                javaHome().resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                classpath,
                "traps.Traps");
        assertThat(run(command, application, "traps.log"))
                .as(() -> read(application.resolve("traps.log")))
                .isZero();
        String log = read(application.resolve("traps.log"));
        for (Map.Entry<String, String> trap : TRAPS.entrySet()) {
            assertThat(log.lines().filter(line -> line.startsWith(trap.getKey() + ": ")))
                    .as(trap.getKey())
                    .singleElement()
                    .asString()
                    .contains(trap.getValue());
        }
    }

    private void countTogether(Path application, String classpath, String processed, boolean virtualThreads)
            throws Exception {
        Path stock = Files.createDirectories(folder.resolve("stock-" + virtualThreads));
        List<Process> instances = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            List<String> command =
                    i == 0 ? java(processed, true, virtualThreads) : java(classpath, false, virtualThreads);
            instances.add(start(command, application, "instance-" + i + ".log"));
        }
        for (int i = 0; i < INSTANCES; i++) {
            String log = "instance-" + i + ".log";
            boolean ended = instances.get(i).waitFor(120, TimeUnit.SECONDS);
            instances.get(i).destroyForcibly();
            assertThat(ended && instances.get(i).exitValue() == 0)
                    .as(() -> read(application.resolve(log)))
                    .isTrue();
            assertThat(application.resolve(log))
                    .content()
                    .contains("virtual threads: " + (virtualThreads && hasVirtualThreads()));
        }
        assertThat(application.resolve("instance-0.log")).content().contains("Starting AOT-processed ShopApplication");
        for (String article : List.of("article-0", "article-1")) {
            assertThat(Files.readString(stock.resolve(article)))
                    .as(article)
                    .isEqualTo(Integer.toString(INSTANCES * THREADS * TIMES / 2));
        }
    }
}
