package dev.holdfast.torture.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;

/** A chart of lines and dots as SVG, on white so that it can be read on any page. The same data give the same text. */
final class SvgChart {

    static final Shape CIRCLE = new Ellipse2D.Double(-3, -3, 6, 6);
    static final Shape SQUARE = new Rectangle2D.Double(-3, -3, 6, 6);

    /** For many: it takes a quarter of the text of a circle. */
    private static final Shape SMALL_SQUARE = new Rectangle2D.Double(-2, -2, 4, 4);

    private static final Dimension SIZE = new Dimension(760, 440);
    private static final int DECIMALS = 1;
    private static final double SIDE_MARGIN = 0.03;
    private static final RectangleInsets MARGIN = new RectangleInsets(10, 5, 5, 15);
    private static final Color GRID = new Color(0xDDDDDD);
    private static final BasicStroke SOLID = new BasicStroke(2);
    private static final BasicStroke DASHED =
            new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);

    private final XYSeriesCollection data = new XYSeriesCollection();
    private final XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    private final JFreeChart chart;

    SvgChart(String title, String xAxis, String yAxis) {
        chart = ChartFactory.createXYLineChart(title, xAxis, yAxis, data);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(MARGIN);
        chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
        XYPlot plot = chart.getXYPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
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

    /** Makes the y axis logarithmic. */
    void logarithmic() {
        ValueAxis linear = chart.getXYPlot().getRangeAxis();
        LogAxis axis = new LogAxis(linear.getLabel());
        axis.setLabelFont(linear.getLabelFont());
        axis.setLabelPaint(linear.getLabelPaint());
        axis.setTickLabelPaint(linear.getTickLabelPaint());
        axis.setTickUnit(new NumberTickUnit(1)); // a decade
        axis.setNumberFormatOverride(new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        chart.getXYPlot().setRangeAxis(axis);
    }

    /** A solid line with dots; without a name it is not in the legend. */
    <T> void line(String name, Color color, Shape dot, List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        style(add(name, points, x, y), color, SOLID, dot);
    }

    /** A dashed line, with dots if there is a shape for them. */
    <T> void dashes(
            String name,
            Color color,
            @Nullable Shape dot,
            List<T> points,
            ToDoubleFunction<T> x,
            ToDoubleFunction<T> y) {
        style(add(name, points, x, y), color, DASHED, dot);
    }

    /** Dots alone. */
    <T> void dots(String name, Color color, List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
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

    /** The SVG. */
    String text() {
        try {
            var document = DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
            context.setPrecision(DECIMALS);
            context.setComment(null);
            SVGGraphics2D graphics = new SVGGraphics2D(context, false);
            graphics.setSVGCanvasSize(SIZE);
            chart.draw(graphics, new Rectangle2D.Double(0, 0, SIZE.width, SIZE.height));
            StringWriter text = new StringWriter();
            graphics.stream(text, true);
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }
}
