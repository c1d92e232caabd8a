package dev.holdfast.report;

import java.awt.Color;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;

/**
 * A chart of grouped bars as SVG, on white so that it is readable on any page. The same data give the same text. Not
 * thread-safe.
 */
public final class SvgBars {

    private static final double ROOM_ABOVE = 1.3;

    private final DefaultCategoryDataset data = new DefaultCategoryDataset();
    private final BarRenderer renderer = new BarRenderer();
    private final JFreeChart chart;
    private boolean logarithmic;

    /** Creates an empty chart. */
    public SvgBars(String title, String axis) {
        chart = ChartFactory.createBarChart(title, null, axis, data);
        Svg.style(chart);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setRangeGridlinePaint(Svg.GRID);
        plot.setOutlineVisible(false);
        plot.setRenderer(renderer);
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0);
    }

    /** Makes the axis logarithmic; all values must be above 0. Bars begin at most a decade below the smallest value. */
    public void logarithmic() {
        logarithmic = true;
    }

    private void setLogarithmicAxis() {
        CategoryPlot plot = chart.getCategoryPlot();
        LogAxis axis = Svg.logarithmic(plot.getRangeAxis());
        double smallest = DatasetUtils.findMinimumRangeValue(data).doubleValue();
        double largest = DatasetUtils.findMaximumRangeValue(data).doubleValue();
        double base = Math.pow(10, Math.ceil(Math.log10(smallest)) - 1);
        renderer.setBase(base);
        renderer.setIncludeBaseInRange(false);
        plot.setRangeAxis(axis);
        axis.setRange(base, largest * ROOM_ABOVE);
    }

    /** Adds a bar of this series to this group. */
    public void bar(String series, Color color, String group, double value) {
        data.addValue(value, series, group);
        renderer.setSeriesPaint(data.getRowIndex(series), color);
    }

    /** Returns the SVG. */
    public String text() {
        if (logarithmic && data.getRowCount() > 0) {
            setLogarithmicAxis();
        }
        return Svg.text(chart);
    }
}
