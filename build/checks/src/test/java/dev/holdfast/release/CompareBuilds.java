package dev.holdfast.release;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Compares two repository folders that hold the same version, bit by bit, and names each file of each jar that differs. It needs only the JDK: {@code
 * java CompareBuilds.java FIRST SECOND}. It exits with 1 if the folders differ, and with 2 for bad arguments.
 */
final class CompareBuilds {

    /** Metadata and signatures depend on when and by whom a file was deployed; a checksum differs only if its file does. */
    private static final Pattern OF_THE_FOLDER =
            Pattern.compile(".*/maven-metadata.*|.*\\.(asc|md5|sha1|sha256|sha512)");

    private final Path first;
    private final Path second;
    private final List<String> differences = new ArrayList<>();
    private int same;

    CompareBuilds(Path first, Path second) {
        this.first = first;
        this.second = second;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java CompareBuilds.java FIRST-FOLDER SECOND-FOLDER");
            System.exit(2);
        }
        CompareBuilds builds = new CompareBuilds(Path.of(args[0]), Path.of(args[1]));
        List<String> differences = builds.compare();
        differences.forEach(System.out::println);
        System.out.println(builds.same + " files are the same, differences: " + differences.size());
        System.exit(differences.isEmpty() ? 0 : 1);
    }

    /** Returns one line for each difference; two empty folders count as a difference too. */
    List<String> compare() throws IOException {
        Map<String, Path> here = files(first);
        Map<String, Path> there = files(second);
        if (here.keySet().stream().noneMatch(name -> name.endsWith(".jar"))) {
            differences.add("no jar in " + first);
        }
        TreeSet<String> all = new TreeSet<>(here.keySet());
        all.addAll(there.keySet());
        for (String name : all) {
            compare(name, here.get(name), there.get(name));
        }
        return differences;
    }

    private void compare(String name, Path one, Path other) throws IOException {
        if (one == null || other == null) {
            differences.add(name + ": only in " + (one == null ? second : first));
        } else if (Files.mismatch(one, other) == -1) {
            same++;
        } else if (name.endsWith(".jar")) {
            compareJars(name, one, other);
        } else {
            differences.add(name + ": differs from byte " + Files.mismatch(one, other));
        }
    }

    private void compareJars(String name, Path one, Path other) throws IOException {
        Map<String, Entry> here = entries(one);
        Map<String, Entry> there = entries(other);
        int before = differences.size();
        TreeSet<String> all = new TreeSet<>(here.keySet());
        all.addAll(there.keySet());
        for (String inside : all) {
            Entry entry = here.get(inside);
            Entry counterpart = there.get(inside);
            if (entry == null || counterpart == null) {
                differences.add(name + ": " + inside + " is only in " + (entry == null ? second : first));
            } else {
                entry.difference(counterpart)
                        .forEach(what -> differences.add(name + ": " + inside + " differs in " + what));
            }
        }
        if (differences.size() == before) {
            differences.add(name + ": the same files, but in another order or packed in another way");
        }
    }

    private record Entry(byte[] bytes, long time, byte[] extra, String permissions) {

        Stream<String> difference(Entry other) {
            return Stream.of(
                            Arrays.equals(bytes, other.bytes)
                                    ? null
                                    : "its bytes, from " + Arrays.mismatch(bytes, other.bytes),
                            time == other.time ? null : "its time",
                            Arrays.equals(extra, other.extra) ? null : "its extra field",
                            permissions.equals(other.permissions)
                                    ? null
                                    : "its permissions, " + permissions + " and " + other.permissions)
                    .filter(Objects::nonNull);
        }
    }

    private static Map<String, Entry> entries(Path jar) throws IOException {
        Map<String, Entry> entries = new TreeMap<>();
        try (InputStream bytes = Files.newInputStream(jar);
                ZipInputStream zip = new ZipInputStream(bytes);
                FileSystem inside = FileSystems.newFileSystem(jar, Map.of("enablePosixFileAttributes", "true"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                byte[] extra = entry.getExtra() == null ? new byte[0] : entry.getExtra();
                String permissions =
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(inside.getPath(entry.getName())));
                entries.put(entry.getName(), new Entry(zip.readAllBytes(), entry.getTime(), extra, permissions));
            }
        }
        return entries;
    }

    private static Map<String, Path> files(Path folder) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (!OF_THE_FOLDER.matcher(name).matches()) {
                    files.put(name, file);
                }
            }
        }
        return files;
    }
}
