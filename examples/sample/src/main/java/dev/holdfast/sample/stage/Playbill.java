package dev.holdfast.sample.stage;

import dev.holdfast.redis.process.FleetNode;
import java.util.List;

/** The text that is printed when everything runs: the addresses, and what to try. */
final class Playbill {

    private Playbill() {}

    static String of(Stage stage) {
        StringBuilder text = new StringBuilder("\nThe sample runs. Look at\n");
        for (Instance instance : stage.instances()) {
            line(text, instance.name(), instance.uri() + "/", instance.process().pid());
        }
        line(text, "locks", stage.dashboard() + "/", 0);
        line(text, "metrics", stage.instances().get(0).uri() + "/actuator/prometheus", 0);
        line(text, "health", stage.instances().get(0).uri() + "/actuator/health", 0);
        line(text, "PostgreSQL", stage.database().url(), 0);
        List<FleetNode> nodes = stage.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            line(
                    text,
                    "Redis " + (i + 1),
                    nodes.get(i).uri().toString(),
                    nodes.get(i).pid());
        }
        return text + tries(stage);
    }

    private static void line(StringBuilder text, String name, String where, long pid) {
        text.append(String.format("  %-11s %-58s", name, where).stripTrailing())
                .append(pid == 0 ? "" : "  pid " + pid)
                .append('\n');
    }

    private static String tries(Stage stage) {
        Instance first = stage.instances().get(0);
        long instance = stage.instances().get(1).process().pid();
        long node = stage.nodes().get(0).pid();
        return String.format("""

                Try these commands in another terminal:
                  Repeat an order:       curl -H 'Content-Type: application/json' -H 'Idempotency-Key: mine' \\
                                           -d '{"customer":"ada","cents":1999}' %1$s/orders
                  Kill an instance:      kill -9 %2$d
                  Pause an instance:     kill -STOP %2$d; sleep 10; kill -CONT %2$d
                  Pause a Redis server:  kill -STOP %3$d; sleep 10; kill -CONT %3$d
                The shop must do every piece of work exactly once. Press Ctrl-C to stop everything.""", first.uri(), instance, node);
    }
}
