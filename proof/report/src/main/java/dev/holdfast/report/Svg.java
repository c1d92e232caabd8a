package dev.holdfast.report;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleInsets;

/** The common parts of all charts: their look, and their conversion to SVG. */
final class Svg {

    static final Color GRID = new Color(0xDDDDDD);

    private static final Dimension SIZE = new Dimension(760, 440);
    private static final int DECIMALS = 1;
    private static final RectangleInsets MARGIN = new RectangleInsets(10, 5, 5, 15);

    private Svg() {}

    static void style(JFreeChart chart) {
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(MARGIN);
        chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    }

    /** Returns a logarithmic axis that otherwise looks like this one. */
    static LogAxis logarithmic(ValueAxis linear) {
        LogAxis axis = new LogAxis(linear.getLabel());
        axis.setLabelFont(linear.getLabelFont());
        axis.setLabelPaint(linear.getLabelPaint());
        axis.setTickLabelPaint(linear.getTickLabelPaint());
        axis.setTickUnit(new NumberTickUnit(1)); // a decade
        axis.setNumberFormatOverride(new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        return axis;
    }

    /** Returns the chart as text. The same chart gives the same text. */
    static String text(JFreeChart chart) {
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
