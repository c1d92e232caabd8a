package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks links, anchors, methods in links to sources, paths and {@code make} targets in every Markdown page, and paths of pages in every other text. */
class DocsTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", ".holdfast");
    private static final Set<String> TEXT =
            Set.of("java", "xml", "lua", "json", "yaml", "service", "properties", "mjs", "js");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");
    private static final Pattern PAGE = Pattern.compile("(?<![\\w/.-])docs/[\\w./-]*?\\w\\.md\\b");
    private static final Pattern DECISION = Pattern.compile("docs/decisions/(\\d{4})\\b");
    private static final Pattern MAKE = Pattern.compile("(?m)(?:`|^)make ([a-z][a-z-]*)");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
    private static final Pattern TARGET = Pattern.compile("(?m)^([a-z-]+):");

    private static final List<Path> PAGES = new ArrayList<>();
    private static final List<Path> TEXTS = new ArrayList<>();
    private static final Map<Path, Set<String>> ANCHORS = new HashMap<>();

    @BeforeAll
    static void findFiles() throws IOException {
        PAGES.clear();
        TEXTS.clear();
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                String extension = name.substring(name.lastIndexOf('.') + 1);
                if (extension.equals("md")) {
                    PAGES.add(file);
                } else if (TEXT.contains(extension)) {
                    TEXTS.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(PAGES).hasSizeGreaterThan(40);
    }

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : PAGES) {
            for (String link : links(page)) {
                String problem = problem(page, link);
                if (!problem.isEmpty()) {
                    broken.add(PROJECT.relativize(page) + ": " + link + " " + problem);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheReadme() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(PROJECT.resolve("README.md")));
        while (!next.isEmpty()) {
            Path page = next.remove();
            if (!reached.add(page)) {
                continue;
            }
            for (String link : links(page)) {
                if (!isExternal(link)) {
                    Path to = target(page, link);
                    if (PAGES.contains(to)) {
                        next.add(to);
                    }
                }
            }
        }
        Path docs = PROJECT.resolve("docs");
        assertThat(PAGES.stream().filter(page -> page.startsWith(docs) && !reached.contains(page)))
                .as("pages that no link leads to")
                .isEmpty();
    }

    @Test
    void everyPageThatAnyTextNamesExists() throws IOException {
        Set<String> decisions = new TreeSet<>();
        try (var files = Files.list(PROJECT.resolve("docs/decisions"))) {
            files.forEach(file -> decisions.add(file.getFileName().toString().substring(0, 4)));
        }
        List<String> missing = new ArrayList<>();
        for (Path file : concat(TEXTS, PAGES)) {
            String text = read(file);
            for (MatchResult named : PAGE.matcher(text).results().toList()) {
                if (!Files.exists(PROJECT.resolve(named.group()))) {
                    missing.add(PROJECT.relativize(file) + ": " + named.group());
                }
            }
            for (MatchResult named : DECISION.matcher(text).results().toList()) {
                if (!decisions.contains(named.group(1))) {
                    missing.add(PROJECT.relativize(file) + ": " + named.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyMakeTargetThatAPageNamesExists() throws IOException {
        Set<String> targets = new TreeSet<>();
        for (MatchResult target :
                TARGET.matcher(read(PROJECT.resolve("Makefile"))).results().toList()) {
            targets.add(target.group(1));
        }
        Set<String> named = new TreeSet<>();
        for (Path page : PAGES) {
            for (MatchResult command : MAKE.matcher(read(page)).results().toList()) {
                named.add(command.group(1));
            }
        }
        assertThat(named).isNotEmpty();
        assertThat(targets).containsAll(named);
    }

    /** Decisions and the changelog are history: they may name tests that no longer exist. */
    @Test
    void everyTestThatAPageNamesExists() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : TEXTS) {
            String name = file.getFileName().toString();
            if (name.endsWith("Test.java")) {
                sources.merge(name.replace(".java", ""), read(file), String::concat);
            }
        }
        List<String> missing = new ArrayList<>();
        for (Path page : PAGES) {
            if (page.startsWith(PROJECT.resolve("docs/decisions"))
                    || page.getFileName().toString().equals("CHANGELOG.md")) {
                continue;
            }
            for (MatchResult test : TEST.matcher(read(page)).results().toList()) {
                String source = sources.getOrDefault(test.group(1), "");
                if (source.isEmpty() || (test.group(2) != null && !source.contains("void " + test.group(2) + "("))) {
                    missing.add(PROJECT.relativize(page) + ": " + test.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void aBrokenLinkIsNoticed() throws IOException {
        Path page = PROJECT.resolve("README.md");

        assertThat(problem(page, "nowhere.md")).isNotEmpty();
        assertThat(problem(page, "docs/decisions/README.md#no-such-heading")).isNotEmpty();
        assertThat(problem(page, "docs/decisions/README.md")).isEmpty();
        String test = "examples/code/src/test/java/dev/holdfast/DocsTest.java";
        assertThat(problem(page, test + "#aBrokenLinkIsNoticed")).isEmpty();
        assertThat(problem(page, test + "#aBroken")).isNotEmpty();
    }

    private static String problem(Path page, String link) throws IOException {
        if (isExternal(link)) {
            return "";
        }
        Path target = target(page, link);
        if (!target.startsWith(PROJECT) || !Files.exists(target)) {
            return "leads to no file";
        }
        int hash = link.indexOf('#');
        if (hash >= 0 && target.toString().endsWith(".java")) {
            return read(target).contains(" " + link.substring(hash + 1) + "(") ? "" : "leads to no method";
        }
        return hash < 0 || anchors(target).contains(link.substring(hash + 1)) ? "" : "leads to no heading";
    }

    private static boolean isExternal(String link) {
        return link.matches("[a-z]+:.*");
    }

    private static Path target(Path page, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        return path.isEmpty() ? page : page.resolveSibling(path).normalize();
    }

    /** The links of a page outside its code. */
    private static List<String> links(Path page) throws IOException {
        String text = CODE.matcher(FENCED.matcher(read(page)).replaceAll("")).replaceAll("code");
        List<String> links = new ArrayList<>();
        Matcher link = LINK.matcher(text);
        while (link.find()) {
            links.add(link.group(1) == null ? link.group(2) : link.group(1));
        }
        return links;
    }

    /** The anchors that GitHub gives the headings of a page. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> known = ANCHORS.get(page);
        if (known != null) {
            return known;
        }
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(FENCED.matcher(read(page)).replaceAll(""));
        while (heading.find()) {
            String anchor = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String unique = anchor;
            for (int again = 1; !anchors.add(unique); again++) {
                unique = anchor + "-" + again;
            }
        }
        ANCHORS.put(page, anchors);
        return anchors;
    }

    private static List<Path> concat(List<Path> some, List<Path> others) {
        List<Path> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
