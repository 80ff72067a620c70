// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.hcaactors.cli.plot.Chart.Axis;
import org.hcaactors.cli.plot.Chart.Line;
import org.hcaactors.cli.plot.Chart.Point;
import org.hcaactors.cli.plot.Chart.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SvgChartTest {
    private static final Point MEASURED = new Point(2, 10, true);
    private static final Point COMPUTED = new Point(64, 2_000, false);

    private static final String VERMILION = "rgb(213,94,0)";
    private static final String BLUE = "rgb(0,114,178)";

    private static final Set<String> SHAPES = Set.of("path", "circle", "ellipse", "polygon", "rect");

    @TempDir
    private Path folder;

    private Document drawn(Chart chart) throws Exception {
        SvgChart.checkLetters();
        Path file = folder.resolve("chart.svg");
        SvgChart.write(chart, file);
        DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
        parsers.setNamespaceAware(true);
        return parsers.newDocumentBuilder().parse(file.toFile());
    }

    private static Chart of(Line... lines) {
        return new Chart(
                "all & <sundry>", new Axis("nodes", Scale.DOUBLING), new Axis("bytes", Scale.DECIMAL), List.of(lines));
    }

    @Test
    void equalFiguresGiveEqualBytes() throws Exception {
        Chart chart = of(new Line("RC", List.of(MEASURED, COMPUTED)), new Line("XRC", List.of(COMPUTED)));
        SvgChart.write(chart, folder.resolve("one.svg"));
        SvgChart.write(chart, folder.resolve("other.svg"));
        assertThat(folder.resolve("one.svg")).hasSameBinaryContentAs(folder.resolve("other.svg"));
    }

    @Test
    void titleAndPointsAreInTheDescriptionToo() throws Exception {
        Document document = drawn(of(new Line("RC", List.of(MEASURED, COMPUTED)), new Line("XRC", List.of(COMPUTED))));
        assertThat(document.getDocumentElement().getNamespaceURI()).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(words(document, "title")).isEqualTo("all & <sundry>");
        assertThat(words(document, "desc"))
                .isEqualTo("bytes by nodes; RC: 2: 10 measured, 64: 2000 computed; XRC: 64: 2000 computed");
    }

    private static String words(Document document, String element) {
        return document.getElementsByTagName(element).item(0).getTextContent();
    }

    /** One stands in the legend. */
    @Test
    void everyMeasuredPointHasAMarkInItsLinesColour() throws Exception {
        Document document = drawn(of(
                new Line("RC", List.of(MEASURED, new Point(4, 30, true), COMPUTED)),
                new Line("XRC", List.of(MEASURED, COMPUTED))));
        assertThat(filled(document, VERMILION)).isEqualTo(2 + 1);
        assertThat(filled(document, BLUE)).isEqualTo(1 + 1);
    }

    @Test
    void aChartOfMeasuredPointsHasOneKindOfMark() throws Exception {
        Document document = drawn(of(new Line("RC", List.of(MEASURED, new Point(4, 30, true)))));
        assertThat(filled(document, VERMILION)).isEqualTo(2 + 1);
        assertThat(filled(document, BLUE)).isZero();
    }

    @Test
    void onePointIsAChart() throws Exception {
        assertThat(words(drawn(of(new Line("RC", List.of(MEASURED)))), "desc")).endsWith("RC: 2: 10 measured");
    }

    @Test
    void eightLinesAreDrawn() throws Exception {
        Line[] lines = IntStream.range(0, 8)
                .mapToObj(i -> new Line("T" + i, List.of(MEASURED, COMPUTED)))
                .toArray(Line[]::new);
        assertThat(words(drawn(of(lines)), "desc")).contains("T7: 2: 10 measured");
    }

    /** Shapes of that colour. */
    private static long filled(Document document, String colour) {
        NodeList all = document.getElementsByTagName("*");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .filter(element ->
                        SHAPES.contains(element.getTagName()) && fill(element).equals(colour))
                .count();
    }

    /** Its own, or that of what it is in. */
    private static String fill(Element element) {
        return element.hasAttribute("fill") ? element.getAttribute("fill") : fill((Element) element.getParentNode());
    }

    private static Chart at(double... values) {
        return of(new Line(
                "RC",
                Arrays.stream(values)
                        .mapToObj(value -> new Point(value, value, true))
                        .toList()));
    }

    @Test
    void anAxisOverFewPowersOfTenEndsAtThem() {
        assertThat(Decades.around(at(5, 7), Point::y)).contains(new Decades(1, 10));
        assertThat(Decades.around(at(0.004), Point::y)).contains(new Decades(0.001, 0.01));
        assertThat(Decades.around(at(1), Point::y)).contains(new Decades(1, 10));
        assertThat(Decades.around(at(8, 12), Point::y)).contains(new Decades(1, 100));
        assertThat(Decades.around(at(8, 120), Point::y)).isEmpty();
    }

    @Test
    void anAxisOfPowersOfTwoLabelsOnlyThemIfItHasTwo() {
        assertThat(PowersOfTwo.over(at(3, 2_000), Point::x).apply(10.0)).isEqualTo("1,024");
        assertThat(PowersOfTwo.over(at(3, 2_000), Point::x).apply(10.5)).isBlank();
        assertThat(PowersOfTwo.over(at(5, 7), Point::x).apply(2.5)).isEqualTo("5.7");
        assertThat(PowersOfTwo.over(at(3), Point::x).apply(PowersOfTwo.exponent(3)))
                .isEqualTo("3");
    }
}
