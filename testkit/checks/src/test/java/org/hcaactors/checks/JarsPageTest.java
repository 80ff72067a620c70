// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.checks.JarsPage.Row;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** The guide's page on jars agrees with POMs and module declarations. */
class JarsPageTest {
    private final JarsPage page = JarsPage.read();
    private final Map<String, Declaration> declarations =
            Declaration.published().stream().collect(toMap(Declaration::artifact, identity()));

    private Declaration declaration(Row row) {
        return Objects.requireNonNull(declarations.get(row.jar()), row.jar());
    }

    /** By their artifacts, without the release of Scala. */
    private static List<String> brought(Pom pom) {
        return pom.dependencies().stream()
                .filter(Pom.Dependency::isBrought)
                .map(each -> each.artifact().replace("_${pekko.scala}", ""))
                .toList();
    }

    @Test
    void everyJarHasItsRow() {
        assertThat(page.rows()).extracting(Row::jar).containsExactlyInAnyOrderElementsOf(declarations.keySet());
    }

    @Test
    void rowsNameTheModulesOfTheirJars() {
        assertThat(page.rows())
                .allSatisfy(row -> assertThat(row.module())
                        .isEqualTo(declaration(row).module().name()));
    }

    @Test
    void rowsNameTheExportsOfTheirModules() {
        assertThat(page.rows())
                .allSatisfy(row -> assertThat(row.tellsExportsOf(declaration(row)))
                        .as(row.jar() + " exports " + row.exports())
                        .isTrue());
    }

    @Test
    void rowsNameTheDependenciesOfTheirJars() {
        Map<String, Pom> poms = Pom.all().stream().collect(toMap(Pom::artifact, identity()));
        assertThat(page.rows())
                .allSatisfy(row -> assertThat(row.broughtJars())
                        .as("what %s brings", row.jar())
                        .containsExactlyInAnyOrderElementsOf(brought(Objects.requireNonNull(poms.get(row.jar())))));
    }

    /** What a user copies has been built: the sample has it, and what only this build needs besides. */
    @Test
    void theProjectOnThePageEqualsThatOfASample() throws IOException {
        Element shown = Pom.parsed(page.project()).getDocumentElement();
        String sample = Files.readString(Pom.ROOT.resolve("testkit/samples/plain/pom.xml"));
        List<String> built = leaves(Pom.parsed(sample).getDocumentElement()).toList();
        assertThat(List.of("properties", "dependencyManagement", "dependencies", "build"))
                .allSatisfy(part -> assertThat(built)
                        .containsAll(
                                leaves(Pom.child(shown, part).orElseThrow()).toList()));
        assertThat(leaves(Pom.child(shown, "dependencies").orElseThrow()))
                .containsExactlyElementsOf(leaves(Pom.child(Pom.parsed(sample).getDocumentElement(), "dependencies")
                                .orElseThrow())
                        .toList());
    }

    @Test
    void theProjectOnThePageHasTheVersionsOfTheBuild() throws IOException {
        String build = Files.readString(Pom.ROOT.resolve("pom.xml"));
        String assertj = "<assertj.version>(.*?)<";
        assertThat(page.project())
                .contains("<version>" + first("<junit.version>(.*?)<", build) + "</version>")
                .contains("<maven.compiler.release>" + first("<maven.compiler.release>(.*?)<", build) + "<")
                .contains("<version>" + first("<artifactId>hca-actors-parent</artifactId>\\s*<version>(.*?)<", build)
                        + "<");
        assertThat(page.text()).contains("AssertJ " + first(assertj, build) + ",");
    }

    private static String first(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    /** Dependencies, plugins and properties below it, each in one line. */
    private static Stream<String> leaves(Element parent) {
        boolean isLeaf = List.of("dependency", "plugin").contains(parent.getTagName())
                || Pom.children(parent).findAny().isEmpty();
        return isLeaf ? Stream.of(line(parent)) : Pom.children(parent).flatMap(JarsPageTest::leaves);
    }

    private static String line(Element element) {
        String inside = Pom.children(element).map(JarsPageTest::line).collect(joining());
        String text = inside.isEmpty() ? element.getTextContent().strip() : inside;
        return "<" + element.getTagName() + ">" + text + "</" + element.getTagName() + ">";
    }
}
