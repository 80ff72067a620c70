// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the published artifacts by their POMs. */
class BomTest {
    private static final Path ROOT = Path.of("../..");
    /** A POM's own artifact, after the parent's. */
    static final Pattern OWN = Pattern.compile("</parent>\\s*<artifactId>([\\w-]+)</artifactId>");

    private static final Pattern OURS = Pattern.compile(
            "<dependency>\\s*<groupId>org\\.hcaactors</groupId>\\s*<artifactId>([\\w-]+)</artifactId>(.*?)</dependency>");

    /** Returns the artifacts of this project, each with its POM. */
    private static Map<String, String> poms() throws IOException {
        Map<String, String> poms = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT, 4)) {
            for (Path file : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                String text = Files.readString(file);
                OWN.matcher(text).results().forEach(own -> poms.put(own.group(1), text));
            }
        }
        return poms;
    }

    /** Returns the artifacts that the given one depends on, itself included. */
    private static Set<String> closure(String artifact, Map<String, String> poms) {
        Set<String> all = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(artifact));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (all.add(next)) {
                OURS.matcher(poms.getOrDefault(next, ""))
                        .results()
                        .filter(dependency -> !dependency.group(2).contains("<scope>test"))
                        .map(dependency -> dependency.group(1))
                        .forEach(open::add);
            }
        }
        return all;
    }

    private static String found(String pattern, Path pom) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(ROOT.resolve(pom)))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    static boolean isPublished(String pom) {
        return pom.contains("maven-source-plugin");
    }

    @Test
    void theBomHasWhatIsPublished() throws IOException {
        List<String> published = poms().entrySet().stream()
                .filter(pom -> isPublished(pom.getValue()))
                .map(Map.Entry::getKey)
                .toList();
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
    void whatIsPublishedHasANameAndADescription() throws IOException {
        assertThat(poms().values().stream().filter(BomTest::isPublished))
                .allSatisfy(pom -> assertThat(pom).contains("\n  <name>", "\n  <description>"));
    }

    /** The sample has no parent either, like a user's project. */
    @Test
    void theBootSampleIsBuiltWithThePluginsOfTheBuild() throws IOException {
        Path boot = Path.of("testkit/samples/boot/pom.xml");
        Path build = Path.of("pom.xml");
        List<String> plugins = Pattern.compile("<artifactId>(maven-[a-z]+-plugin)<")
                .matcher(Files.readString(ROOT.resolve(boot)))
                .results()
                .map(plugin -> plugin.group(1))
                .toList();
        assertThat(plugins).hasSizeGreaterThan(5);
        for (String plugin : plugins) {
            String version = plugin + "</artifactId>\\s*<version>([^<]+)<";
            assertThat(found(version, boot)).as(plugin).isEqualTo(found(version, build));
        }
        assertThat(found("spotless-maven-plugin</artifactId><version>([^<]+)<", boot))
                .isEqualTo(found("<spotless.version>([^<]+)<", build));
    }

    /** The parents are published: resolving an artifact reads them. */
    @Test
    void whatTheBomDoesNotNameIsNotPublished() throws IOException {
        List<String> unpublished = poms().entrySet().stream()
                .filter(pom -> !isPublished(pom.getValue()) && !pom.getValue().contains("<packaging>pom"))
                .map(Map.Entry::getKey)
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
    void whatIsPublishedStandsOnWhatIsPublished() throws IOException {
        Map<String, String> poms = poms();
        Set<String> missing = new TreeSet<>();
        poms.forEach((artifact, pom) -> {
            if (isPublished(pom)) {
                closure(artifact, poms).stream()
                        .filter(other -> !isPublished(poms.getOrDefault(other, "")))
                        .map(other -> artifact + " needs " + other)
                        .forEach(missing::add);
            }
        });
        assertThat(missing).isEmpty();
    }

    @Test
    void viewsAndMachinesBringNoPekko() throws IOException {
        Map<String, String> poms = poms();
        for (String artifact : List.of("hca-api", "hca-client", "hca-packet", "hca-protocol", "hca-views")) {
            assertThat(closure(artifact, poms))
                    .as(artifact)
                    .doesNotContain("hca-actors", "hca-fabric")
                    .allSatisfy(each -> assertThat(poms.get(each)).doesNotContain("org.apache.pekko"));
        }
    }
}
