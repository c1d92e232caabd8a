package dev.holdfast.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as comma-separated values (RFC 4180, but with Unix line ends), in the order in which rows are added. Not
 * thread-safe.
 */
public final class Csv {

    private static final Pattern CELL = Pattern.compile("(?:^|,)(?:\"((?:[^\"]|\"\")*)\"|([^,]*))");

    private final int columns;
    private final List<String> lines = new ArrayList<>();

    /** Creates a table with these columns and no rows. */
    public Csv(String... columns) {
        this.columns = columns.length;
        row((Object[]) columns);
    }

    /** Adds a row; fractions get two digits. */
    public void row(Object... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells in a table of " + columns + " columns");
        }
        lines.add(Stream.of(cells).map(Csv::text).collect(Collectors.joining(",")));
    }

    private static String text(Object cell) {
        if (cell instanceof Double fraction) {
            return String.format(Locale.ROOT, "%.2f", fraction);
        }
        String text = cell.toString();
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Returns the cells of such a table, the column names first. No cell may contain a line end. */
    public static List<List<String>> rows(String text) {
        return text.lines().map(Csv::cells).toList();
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        Matcher matcher = CELL.matcher(line);
        while (matcher.find()) {
            String quoted = matcher.group(1);
            cells.add(quoted == null ? matcher.group(2) : quoted.replace("\"\"", "\""));
        }
        return cells;
    }

    /** Returns the table as text, the column names first. */
    public String text() {
        return String.join("\n", lines) + "\n";
    }
}
