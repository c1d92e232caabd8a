package dev.holdfast.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query of the Grafana dashboard or the alerts that asks for series of a server.
 *
 * @param expression the query in PromQL
 * @param shown the texts that show labels of the result, in double braces
 */
record ServerQuery(String expression, String shown) {

    private static final Pattern OF_SERVER = Pattern.compile("\\b(?:holdfast_server|jvm|process|system)_");
    private static final Pattern PANEL =
            Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"[^}]*?\"legendFormat\": \"([^\"]*)\"");
    private static final Pattern ALERT = Pattern.compile(
            "- alert: [^\\n]*\\n +expr: (.*?)\\n +(?:for|labels):(.*?)(?=- alert: |\\z)", Pattern.DOTALL);

    /** A series with its selection. Functions have a parenthesis, variables a dollar sign, and labels no underscore. */
    private static final Pattern SERIES =
            Pattern.compile("(?<![$\\w{\"])([a-z]+(?:_[a-z]+)+)\\b(?!\\()(?:\\{([^}]*)})?");

    private static final Pattern SELECTION = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([a-z, ]*)\\) \\(");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{ *(?:\\$labels\\.)?([a-z_]+) *}}");

    /** The labels that Prometheus adds. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    /** Returns the queries for series of a server, of a dashboard in JSON or of rules in YAML. */
    static List<ServerQuery> in(String file) {
        boolean isDashboard = file.startsWith("{");
        List<ServerQuery> queries = new ArrayList<>();
        Matcher found = (isDashboard ? PANEL : ALERT).matcher(file);
        while (found.find()) {
            String expression = isDashboard ? found.group(1).replace("\\\"", "\"") : found.group(1);
            if (OF_SERVER.matcher(expression).find()) {
                queries.add(new ServerQuery(expression, found.group(2)));
            }
        }
        return queries;
    }

    /** Returns the series, labels and values that this query asks for and the scrape does not have. */
    Set<String> missingFrom(String scrape) {
        Set<String> missing = new TreeSet<>();
        addMissingSelections(scrape, missing);
        Set<String> groups = new TreeSet<>();
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            List<String> labels = List.of(grouping.group(1).split(", *"));
            groups.addAll(labels);
            Matcher series = SERIES.matcher(argument(grouping.end()));
            while (series.find()) {
                for (String label : labels) {
                    if (!ADDED.contains(label) && !has(scrape, series.group(1), label, "[^\"]*")) {
                        missing.add(series.group(1) + "{" + label + "}");
                    }
                }
            }
        }
        SHOWN.matcher(shown)
                .results()
                .map(label -> label.group(1))
                .filter(label -> !groups.contains(label))
                .forEach(label -> missing.add("{{" + label + "}}"));
        return missing;
    }

    private void addMissingSelections(String scrape, Set<String> missing) {
        Matcher series = SERIES.matcher(expression);
        while (series.find()) {
            String name = series.group(1);
            if (!Pattern.compile("(?m)^" + name + "[{ ]").matcher(scrape).find()) {
                missing.add(name);
            }
            Matcher selection = SELECTION.matcher(series.group(2) == null ? "" : series.group(2));
            while (selection.find()) {
                for (String value : selection.group(2).split("\\|")) {
                    String label = selection.group(1);
                    String written = value.contains("$") ? "[^\"]*" : Pattern.quote(value);
                    if (!ADDED.contains(label) && !has(scrape, name, label, written)) {
                        missing.add(name + "{" + label + "=\"" + value + "\"}");
                    }
                }
            }
        }
    }

    /** Returns the text from the position to the parenthesis that ends it. */
    private String argument(int from) {
        int depth = 1;
        int end = from;
        while (depth > 0 && end < expression.length()) {
            char c = expression.charAt(end++);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return expression.substring(from, end);
    }

    private static boolean has(String scrape, String name, String label, String value) {
        return Pattern.compile("(?m)^" + name + "\\{(?:[^}]*,)?" + label + "=\"" + value + "\"")
                .matcher(scrape)
                .find();
    }
}
