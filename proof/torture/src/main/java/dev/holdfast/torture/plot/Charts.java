package dev.holdfast.torture.plot;

import dev.holdfast.report.SvgChart;
import java.awt.Color;
import java.awt.Shape;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The charts. Colour-blind readers can distinguish their colours (Okabe and Ito). */
final class Charts {

    private static final Color BLUE = new Color(0x0072B2);
    private static final Color SKY = new Color(0x56B4E9);
    private static final Color VERMILION = new Color(0xD55E00);
    private static final Color ORANGE = new Color(0xE69F00);
    private static final Color GREY = new Color(0x666666);

    private Charts() {}

    /** Returns the chart of the time against the number of nodes that are down. */
    static String nodesGone(List<NodesGone.Result> results) {
        SvgChart chart = new SvgChart(
                "Time to acquire a free lock, some of " + NodesGone.NODES + " nodes down (solid: median, dashed: 99 %)",
                "nodes down (" + NodesGone.MAJORITY_GONE + ": no majority, time until the client reports that)",
                "time (ms)");
        chart.logarithmic();
        for (NodesGone.Way way : NodesGone.Way.values()) {
            for (MeasuredClient.Kind client : MeasuredClient.Kind.values()) {
                List<NodesGone.Result> line = results.stream()
                        .filter(result -> result.way() == way && result.client() == client)
                        .toList();
                boolean stopped = way == NodesGone.Way.STOPPED;
                Color color = color(client, stopped);
                Shape dot = stopped ? SvgChart.SQUARE : SvgChart.CIRCLE;
                String name = client.title + ", " + way.name().toLowerCase(Locale.ROOT);
                chart.line(
                        name,
                        color,
                        dot,
                        line,
                        NodesGone.Result::gone,
                        one -> one.times().median());
                chart.dashes(
                        "",
                        color,
                        dot,
                        line,
                        NodesGone.Result::gone,
                        one -> one.times().p99());
            }
        }
        return chart.text();
    }

    /** Returns the chart of each waiter's wait against its position, in a queue of {@code waiters}. */
    static String places(List<Waiters.Wait> waits, int waiters) {
        SvgChart chart = new SvgChart(
                "Wait of " + waiters + " waiters for one lock, each holds it for " + Waiters.HOLD_MILLIS + " ms",
                "position in the queue, in the order of the requests",
                "wait since the release of the lock (ms)");
        for (MeasuredClient.Kind client : MeasuredClient.Kind.values()) {
            List<Waiters.Wait> dots = waits.stream()
                    .filter(wait -> wait.waiters() == waiters && wait.client() == client)
                    .toList();
            chart.dots(client.title, color(client, false), dots, Waiters.Wait::place, Waiters.Wait::millis);
        }
        ToDoubleFunction<Integer> heldBefore = place -> (place - 1) * (double) Waiters.HOLD_MILLIS;
        chart.dashes("time that the holders ahead take", GREY, null, List.of(1, waiters), place -> place, heldBefore);
        return chart.text();
    }

    /** Returns the chart of the mean and the longest wait against the number of waiters. */
    static String waiters(List<WaitSummary> summaries) {
        SvgChart chart = new SvgChart(
                "Wait for one lock, each holds it for " + Waiters.HOLD_MILLIS
                        + " ms (solid: mean, dashed: until all were served)",
                "waiters at the same time",
                "wait since the release of the lock (ms)");
        for (MeasuredClient.Kind client : MeasuredClient.Kind.values()) {
            List<WaitSummary> line = summaries.stream()
                    .filter(summary -> summary.client() == client)
                    .toList();
            Color color = color(client, false);
            chart.line(
                    client.title,
                    color,
                    SvgChart.CIRCLE,
                    line,
                    WaitSummary::waiters,
                    one -> one.times().mean());
            chart.dashes("", color, SvgChart.CIRCLE, line, WaitSummary::waiters, WaitSummary::allServedMillis);
        }
        return chart.text();
    }

    private static Color color(MeasuredClient.Kind client, boolean lighter) {
        if (client == MeasuredClient.Kind.HOLDFAST) {
            return lighter ? SKY : BLUE;
        }
        return lighter ? ORANGE : VERMILION;
    }
}
