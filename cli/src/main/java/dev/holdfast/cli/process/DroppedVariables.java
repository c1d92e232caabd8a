package dev.holdfast.cli.process;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/**
 * The variables that the shell of the launcher may have dropped, because their names are no identifiers. The launcher passes them on as one variable: the
 * hexadecimal bytes of {@code NAME=VALUE}, each followed by a zero byte, as in {@code /proc/self/environ}.
 */
final class DroppedVariables {

    private static final String VARIABLE = "HOLDFAST_DROPPED_VARIABLES";

    private DroppedVariables() {}

    /** Puts them back into this environment, and removes the launcher's variable from it. */
    static void restore(Map<String, String> environment) {
        String dropped = environment.remove(VARIABLE);
        if (dropped == null || !dropped.matches("([0-9a-f]{2})*")) {
            return;
        }
        String pairs = new String(HexFormat.of().parseHex(dropped), StandardCharsets.UTF_8);
        for (String pair : pairs.split("\0")) {
            int end = pair.indexOf('=');
            if (end > 0) {
                environment.putIfAbsent(pair.substring(0, end), pair.substring(end + 1));
            }
        }
    }
}
