package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Failure;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The nodes of a command, found before its arguments are parsed, so that their driver can load meanwhile. A wrong guess costs time and nothing else. The
 * command itself reports wrong settings.
 */
public final class NodesAhead {

    /** The commands that lock on nodes or show their state. */
    private static final Set<String> COMMANDS = Set.of("run", "elect", "status", "list", "nodes", "doctor", "break");

    private static final Set<String> ONLY_HELP = Set.of("-h", "--help", "-V", "--version");
    private static final Pattern REDIS = Pattern.compile("rediss?(-[a-z]+)?://.*");

    private NodesAhead() {}

    /** Returns whether the command connects to a Redis node: one that is configured, or else one of the development nodes. */
    public static boolean hasRedis(List<String> arguments, Map<String, String> environment) {
        int end = arguments.contains("--") ? arguments.indexOf("--") : arguments.size();
        List<String> own = arguments.subList(0, end);
        if (own.stream().noneMatch(COMMANDS::contains) || own.stream().anyMatch(ONLY_HELP::contains)) {
            return false;
        }
        ClientOptions options = new ClientOptions();
        options.nodes = values("--node", own);
        try {
            values("--config", own).forEach(file -> options.config = PathText.parse(file));
            List<String> nodes = Settings.of(options, environment).nodes();
            return nodes.isEmpty()
                    ? DevCluster.of(environment).uri().isEmpty()
                    : nodes.stream().anyMatch(node -> REDIS.matcher(node).matches());
        } catch (Failure | IllegalArgumentException | UncheckedIOException e) {
            return false;
        }
    }

    private static List<String> values(String option, List<String> arguments) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).startsWith(option + "=")) {
                values.add(arguments.get(i).substring(option.length() + 1));
            } else if (arguments.get(i).equals(option) && i + 1 < arguments.size()) {
                values.add(arguments.get(i + 1));
            }
        }
        return values;
    }
}
