// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the published artifacts by their POMs. */
class BomTest {
    private static final Path ROOT = Pom.ROOT;

    private static final Pattern OURS =
            Pattern.compile("<dependency>\\s*<groupId>org\\.hcaactors</groupId>\\s*<artifactId>([\\w-]+)</artifactId>");

    /** What comes with that artifact, itself among it. */
    private static Set<String> closure(String artifact, Map<String, Pom> poms) {
        Set<String> all = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(artifact));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (all.add(next)) {
                open.addAll(named(next, poms).ours());
            }
        }
        return all;
    }

    private static Pom named(String artifact, Map<String, Pom> poms) {
        return Objects.requireNonNull(poms.get(artifact), artifact);
    }

    private static Map<String, Pom> poms() {
        return Pom.all().stream().collect(toMap(Pom::artifact, identity()));
    }

    private static List<Pom> published() {
        return Pom.all().stream().filter(Pom::isPublished).toList();
    }

    private static String found(String pattern, Path pom) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(ROOT.resolve(pom)))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void theBomListsThePublishedArtifacts() throws IOException {
        List<String> published = published().stream().map(Pom::artifact).toList();
        List<String> named = OURS.matcher(Files.readString(ROOT.resolve("api/bom/pom.xml")))
                .results()
                .map(dependency -> dependency.group(1))
                .toList();
        assertThat(published).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(named);
    }

    /** The BOM has no parent to inherit them from. */
    @Test
    void theBomsVersionsAreThoseOfTheBuild() throws IOException {
        Path bom = Path.of("api/bom/pom.xml");
        Path build = Path.of("pom.xml");
        String own = "<artifactId>hca-[\\w-]+</artifactId>\\s*<version>([^<]+)<";
        assertThat(found(own, bom)).isEqualTo(found(own, build));
        assertThat(found("pekko-bom_2.13</artifactId><version>([^<]+)<", bom))
                .isEqualTo(found("<pekko.version>([^<]+)<", build));
        assertThat(found("spotless-maven-plugin</artifactId><version>([^<]+)<", bom))
                .isEqualTo(found("<spotless.version>([^<]+)<", build));
        assertThat(found("central-publishing-maven-plugin</artifactId>\\s*<version>([^<]+)<", bom))
                .isEqualTo(found("<central.version>([^<]+)<", build));
        assertThat(found("maven-gpg-plugin</artifactId>\\s*<version>([^<]+)<", bom))
                .isEqualTo(found("<gpg.version>([^<]+)<", build));
    }

    /** Maven Central refuses artifacts without them, and neither is inherited unchanged. */
    @Test
    void everyPublishedArtifactHasANameAndADescription() {
        assertThat(published()).allSatisfy(pom -> assertThat(pom.text()).contains("\n  <name>", "\n  <description>"));
    }

    /** They have no parent either, as they are users'. */
    @ParameterizedTest
    @ValueSource(strings = {"boot", "plain"})
    void samplesAreBuiltWithThePluginsOfTheBuild(String sample) throws IOException {
        Path own = Path.of("testkit/samples", sample, "pom.xml");
        Path build = Path.of("pom.xml");
        List<String> plugins = Pattern.compile("<artifactId>(maven-[a-z]+-plugin)<")
                .matcher(Files.readString(ROOT.resolve(own)))
                .results()
                .map(plugin -> plugin.group(1))
                .toList();
        assertThat(plugins).hasSizeGreaterThan(5);
        for (String plugin : plugins) {
            String version = plugin + "</artifactId>\\s*<version>([^<]+)<";
            assertThat(found(version, own)).as(plugin).isEqualTo(found(version, build));
        }
        assertThat(found("spotless-maven-plugin</artifactId><version>([^<]+)<", own))
                .isEqualTo(found("<spotless.version>([^<]+)<", build));
    }

    /** The parents are published: resolving an artifact reads them. */
    @Test
    void artifactsMissingInTheBomAreNotPublished() throws IOException {
        List<String> unpublished = Pom.all().stream()
                .filter(pom -> pom.isJar() && !pom.isPublished())
                .filter(pom -> !pom.text().contains("<maven.deploy.skip>true"))
                .map(Pom::artifact)
                .filter(artifact -> !artifact.equals("browser"))
                .toList();
        List<String> excluded = Pattern.compile("<excludeArtifact>([\\w-]+)<")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(artifact -> artifact.group(1))
                .toList();
        assertThat(excluded).containsExactlyInAnyOrderElementsOf(unpublished);
    }

    @Test
    void publishedArtifactsDependOnPublishedOnesOnly() {
        Map<String, Pom> poms = poms();
        Set<String> missing = new TreeSet<>();
        for (Pom pom : published()) {
            closure(pom.artifact(), poms).stream()
                    .filter(other -> !named(other, poms).isPublished())
                    .map(other -> pom.artifact() + " needs " + other)
                    .forEach(missing::add);
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void viewsAndMachinesDependOnNoPekko() {
        Map<String, Pom> poms = poms();
        for (String artifact : List.of("hca-api", "hca-client", "hca-packet", "hca-protocol", "hca-views")) {
            assertThat(closure(artifact, poms))
                    .as(artifact)
                    .doesNotContain("hca-actors", "hca-fabric")
                    .allSatisfy(each -> assertThat(named(each, poms).text()).doesNotContain("org.apache.pekko"));
        }
    }
}
