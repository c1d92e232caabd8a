package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The docs for operators list all alerts and all events of the audit log. */
class OperationDocsTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Path AUDIT_LOG = Path.of("../server/src/main/java/dev/holdfast/server/log/AuditLog.java");
    private static final Pattern RULE = Pattern.compile("(?s)- alert: (\\w+).*?severity: (\\w+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(Holdfast\\w+)` \\| (\\w+) \\|");
    private static final Pattern AUDIT_EVENT = Pattern.compile("add\\(\\s*\"([a-z-]+)\"");

    private static TreeMap<String, String> pairs(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .collect(Collectors.toMap(
                        found -> found.group(1), found -> found.group(2), (one, other) -> other, TreeMap::new));
    }

    @Test
    void everyAlertIsThereWithItsSeverity() throws IOException {
        assertThat(pairs(ROW, DOCS.resolve("reference/observability.md")))
                .isEqualTo(pairs(RULE, DOCS.resolve("observability/alerts.yaml")))
                .hasSizeGreaterThan(15);
    }

    @Test
    void everyEventOfTheAuditLogIsThere() throws IOException {
        String audit = Files.readString(DOCS.resolve("reference/server.md"))
                .lines()
                .filter(line -> line.contains("dev.holdfast.server.audit"))
                .collect(Collectors.joining());

        assertThat(AUDIT_EVENT
                        .matcher(Files.readString(AUDIT_LOG))
                        .results()
                        .map((MatchResult found) -> found.group(1)))
                .hasSizeGreaterThan(7)
                .allSatisfy(event -> assertThat(audit).contains("`" + event + "`"));
    }
}
