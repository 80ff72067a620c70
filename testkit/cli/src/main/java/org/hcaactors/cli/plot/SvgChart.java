// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A chart as SVG: measured points are marks, computed ones a line. The same figures give the same bytes on a machine with the
 * same fonts; letters are outlines, so the chart looks the same everywhere.
 */
public final class SvgChart {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final int WIDTH = 960;
    private static final int HEIGHT = 540;
    /** Decimal digits of coordinates in pixels. */
    private static final int PRECISION = 2;

    /** Appearance of a line: a colour of the palette by Okabe and Ito, which is safe for colour-blind readers, and a mark. */
    private record Look(int rgb, Marker mark) {
        Color colour() {
            return new Color(rgb);
        }

        XYSeries onLine(XYSeries series) {
            series.setLineColor(colour())
                    .setLineStyle(new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
            return series;
        }
    }

    private static final List<Look> LOOKS = List.of(
            new Look(0xD55E00, SeriesMarkers.CIRCLE),
            new Look(0x0072B2, SeriesMarkers.DIAMOND),
            new Look(0x009E73, SeriesMarkers.SQUARE),
            new Look(0xCC79A7, SeriesMarkers.TRIANGLE_UP),
            new Look(0xE69F00, SeriesMarkers.TRIANGLE_DOWN),
            new Look(0x56B4E9, SeriesMarkers.CROSS));

    private static final Font LABELS = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);
    private static final String NUMBERS = "#,##0.###";
    private static final Color GRID = new Color(0xDDDDDD);
    private static final Color INK = new Color(0x333333);

    private SvgChart() {}

    /** Writes the chart; replaces an existing file. Requires that {@link #checkLetters} passes. */
    public static void write(Chart chart, Path file) throws IOException {
        Document document = emptyDocument();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setPrecision(PRECISION);
        context.setComment("Drawn by hca");
        SVGGraphics2D canvas = new SVGGraphics2D(context, false);
        canvas.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
        drawing(chart).paint(canvas, WIDTH, HEIGHT);
        Element root = canvas.getRoot();
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
        root.insertBefore(text(document, "desc", ChartWords.of(chart)), root.getFirstChild());
        root.insertBefore(text(document, "title", chart.title()), root.getFirstChild());
        document.replaceChild(root, document.getDocumentElement());
        try (Writer out = Files.newBufferedWriter(file)) {
            TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document), new StreamResult(out));
        } catch (TransformerException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException("the Java runtime has no XML parser", impossible);
        }
    }

    private static Element text(Document document, String name, String words) {
        Element element = document.createElementNS(SVG, name);
        element.setTextContent(words);
        return element;
    }

    /**
     * Checks that AWT has fonts. AWT looks for fonts when they are first measured, and its exception without any differs by
     * JDK.
     *
     * @throws NoFontsException if it has none
     */
    public static void checkLetters() throws NoFontsException {
        try {
            LABELS.createGlyphVector(new FontRenderContext(null, true, true), "0")
                    .getOutline();
        } catch (Error | RuntimeException none) {
            throw new NoFontsException(none);
        }
    }

    private static XYChart drawing(Chart chart) {
        XYChart drawing = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title())
                .xAxisTitle(chart.x().title())
                .yAxisTitle(chart.y().title())
                .build();
        style(drawing.getStyler());
        XYStyler styler = drawing.getStyler();
        switch (chart.x().scale()) {
            case DOUBLING -> drawing.setCustomXAxisTickLabelsFormatter(PowersOfTwo.over(chart, Chart.Point::x));
            case DECIMAL -> {
                styler.setXAxisLogarithmic(true).setXAxisDecimalPattern(NUMBERS);
                Decades.around(chart, Chart.Point::x)
                        .ifPresent(range -> styler.setXAxisMin(range.min()).setXAxisMax(range.max()));
            }
            case LINEAR -> styler.setXAxisMin(0.0).setXAxisDecimalPattern(NUMBERS);
        }
        switch (chart.y().scale()) {
            case DOUBLING -> drawing.setCustomYAxisTickLabelsFormatter(PowersOfTwo.over(chart, Chart.Point::y));
            case DECIMAL -> {
                styler.setYAxisLogarithmic(true).setYAxisDecimalPattern(NUMBERS);
                Decades.around(chart, Chart.Point::y)
                        .ifPresent(range -> styler.setYAxisMin(range.min()).setYAxisMax(range.max()));
            }
            case LINEAR -> styler.setYAxisMin(0.0).setYAxisDecimalPattern(NUMBERS);
        }
        for (int i = 0; i < chart.lines().size(); i++) {
            draw(drawing, chart, chart.lines().get(i), LOOKS.get(i % LOOKS.size()));
        }
        return drawing;
    }

    /** Draws a line through the computed points; if there are none, through the measured ones. */
    private static void draw(XYChart drawing, Chart chart, Chart.Line line, Look look) {
        List<Chart.Point> measured =
                line.points().stream().filter(Chart.Point::measured).toList();
        boolean isComputed = measured.size() < line.points().size();
        String marked = chart.isMeasured() ? line.name() : line.name() + ", measured";
        if (isComputed) {
            look.onLine(series(drawing, chart, line.name() + ", computed", line.points()))
                    .setMarker(SeriesMarkers.NONE);
        }
        if (!measured.isEmpty()) {
            XYSeries marks = look.onLine(series(drawing, chart, marked, measured));
            marks.setMarker(look.mark()).setMarkerColor(look.colour());
            marks.setXYSeriesRenderStyle(
                    isComputed ? XYSeries.XYSeriesRenderStyle.Scatter : XYSeries.XYSeriesRenderStyle.Line);
        }
    }

    private static XYSeries series(XYChart drawing, Chart chart, String name, List<Chart.Point> points) {
        return drawing.addSeries(
                name, along(points, chart.x(), Chart.Point::x), along(points, chart.y(), Chart.Point::y));
    }

    private static double[] along(List<Chart.Point> points, Chart.Axis axis, ToDoubleFunction<Chart.Point> coordinate) {
        return points.stream()
                .mapToDouble(coordinate)
                .map(value -> switch (axis.scale()) {
                    case DOUBLING -> PowersOfTwo.exponent(value);
                    case DECIMAL, LINEAR -> value;
                })
                .toArray();
    }

    private static void style(XYStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE)
                .setPlotBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(GRID).setPlotGridLinesStroke(new BasicStroke(1));
        styler.setChartTitleFont(TITLE).setChartFontColor(INK).setChartTitleBoxVisible(false);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE)
                .setLegendLayout(Styler.LegendLayout.Vertical)
                .setLegendFont(LABELS)
                .setLegendPadding(16)
                .setLegendBorderColor(Color.WHITE);
        styler.setAxisTitleFont(LABELS)
                .setAxisTickLabelsFont(LABELS)
                .setAxisTickLabelsColor(INK)
                .setAxisTickPadding(8);
        styler.setLocale(Locale.ROOT);
        styler.setMarkerSize(9);
    }
}
