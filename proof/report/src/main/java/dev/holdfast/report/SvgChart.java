package dev.holdfast.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;

/** A chart of lines and dots as SVG, on white so that it is readable on any page. The same data give the same text. */
public final class SvgChart {

    /** A round dot. */
    public static final Shape CIRCLE = new Ellipse2D.Double(-3, -3, 6, 6);
    /** A square dot. */
    public static final Shape SQUARE = new Rectangle2D.Double(-3, -3, 6, 6);

    /** The dot for many points: its SVG text is a quarter as long as a circle's. */
    private static final Shape SMALL_SQUARE = new Rectangle2D.Double(-2, -2, 4, 4);

    private static final double SIDE_MARGIN = 0.03;
    private static final BasicStroke SOLID = new BasicStroke(2);
    private static final BasicStroke DASHED =
            new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);

    private final XYSeriesCollection data = new XYSeriesCollection();
    private final XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    private final JFreeChart chart;

    /** Creates an empty chart. */
    public SvgChart(String title, String xAxis, String yAxis) {
        chart = ChartFactory.createXYLineChart(title, xAxis, yAxis, data);
        Svg.style(chart);
        XYPlot plot = chart.getXYPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(Svg.GRID);
        plot.setRangeGridlinePaint(Svg.GRID);
        plot.setOutlineVisible(false);
        plot.setRenderer(renderer);
        NumberAxis axis = (NumberAxis) plot.getDomainAxis();
        axis.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
        axis.setAutoRangeIncludesZero(false);
        axis.setAutoRangeStickyZero(false);
        axis.setLowerMargin(SIDE_MARGIN);
        axis.setUpperMargin(SIDE_MARGIN);
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setDrawOutlines(false);
    }

    /** Makes the y-axis logarithmic. */
    public void logarithmic() {
        chart.getXYPlot().setRangeAxis(Svg.logarithmic(chart.getXYPlot().getRangeAxis()));
    }

    /** Adds a solid line with dots; without a name it is not in the legend. */
    public <T> void line(
            String name, Color color, Shape dot, List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        style(add(name, points, x, y), color, SOLID, dot);
    }

    /** Adds a dashed line, with dots if there is a shape for them. */
    public <T> void dashes(
            String name,
            Color color,
            @Nullable Shape dot,
            List<T> points,
            ToDoubleFunction<T> x,
            ToDoubleFunction<T> y) {
        style(add(name, points, x, y), color, DASHED, dot);
    }

    /** Adds dots without a line. */
    public <T> void dots(String name, Color color, List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        style(add(name, points, x, y), color, null, SMALL_SQUARE);
    }

    private <T> int add(String name, List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        int index = data.getSeriesCount();
        XYSeries series = new XYSeries(name.isEmpty() ? "series " + index : name);
        points.forEach(point -> series.add(x.applyAsDouble(point), y.applyAsDouble(point)));
        data.addSeries(series);
        renderer.setSeriesVisibleInLegend(index, !name.isEmpty());
        return index;
    }

    private void style(int index, Color color, @Nullable BasicStroke stroke, @Nullable Shape dot) {
        renderer.setSeriesPaint(index, color);
        renderer.setSeriesLinesVisible(index, stroke != null);
        renderer.setSeriesShapesVisible(index, dot != null);
        if (stroke != null) {
            renderer.setSeriesStroke(index, stroke);
        }
        if (dot != null) {
            renderer.setSeriesShape(index, dot);
        }
    }

    /** Returns the SVG. */
    public String text() {
        return Svg.text(chart);
    }
}
