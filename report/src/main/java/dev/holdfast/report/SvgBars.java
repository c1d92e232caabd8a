package dev.holdfast.report;

import java.awt.Color;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/** A chart of bars in groups as SVG, on white so that it can be read on any page. The same data give the same text. Not thread-safe. */
public final class SvgBars {

    private final DefaultCategoryDataset data = new DefaultCategoryDataset();
    private final BarRenderer renderer = new BarRenderer();
    private final JFreeChart chart;

    /** An empty one. */
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

    /** Makes the axis logarithmic, for values above 0. */
    public void logarithmic() {
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setRangeAxis(Svg.logarithmic(plot.getRangeAxis()));
    }

    /** A bar of this series in this group. */
    public void bar(String series, Color color, String group, double value) {
        data.addValue(value, series, group);
        renderer.setSeriesPaint(data.getRowIndex(series), color);
    }

    /** The SVG. */
    public String text() {
        return Svg.text(chart);
    }
}
