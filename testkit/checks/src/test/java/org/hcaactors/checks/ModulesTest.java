// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the published modules: their names, and what they export to which modules. */
class ModulesTest {
    private static final Path ROOT = Path.of("../..");
    private static final String DECLARATION = "src/main/java/module-info.java";
    private static final Pattern NAME = Pattern.compile("\nmodule ([\\w.]+) \\{");
    private static final Pattern TO_ALL = Pattern.compile("\n    exports ([\\w.]+);");
    private static final Pattern TO_SOME = Pattern.compile("\n    exports ([\\w.]+) to([^;]+);");

    /** Directories of the published artifacts, by artifact. */
    private static final Map<String, Path> PUBLISHED = new TreeMap<>();

    private static final Map<String, Path> UNPUBLISHED = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                String text = Files.readString(pom);
                Map<String, Path> kind = BomTest.isPublished(text) ? PUBLISHED : UNPUBLISHED;
                BomTest.OWN.matcher(text).results().forEach(own -> kind.put(own.group(1), pom.getParent()));
            }
        }
    }

    private static String declaration(Path directory) throws IOException {
        return Files.readString(directory.resolve(DECLARATION));
    }

    private static Set<String> named(Pattern pattern, int group, String declaration) {
        return pattern.matcher(declaration)
                .results()
                .map(found -> found.group(group))
                .collect(toCollection(TreeSet::new));
    }

    /** Returns the packages with sources in that directory. */
    private static Set<String> packages(Path directory) throws IOException {
        Set<String> packages = new TreeSet<>();
        for (String language : List.of("java", "kotlin")) {
            Path sources = directory.resolve("src/main").resolve(language);
            if (Files.exists(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(Files::isRegularFile)
                            .filter(file -> !file.endsWith("module-info.java"))
                            .map(file -> sources.relativize(file).toString().replaceFirst("/[^/]*$", ""))
                            .forEach(room -> packages.add(room.replace('/', '.')));
                }
            }
        }
        return packages;
    }

    @Test
    void whatIsPublishedIsAModuleNamedAfterItsArtifact() throws IOException {
        assertThat(PUBLISHED).hasSizeGreaterThan(10);
        for (Map.Entry<String, Path> each : PUBLISHED.entrySet()) {
            assertThat(named(NAME, 1, declaration(each.getValue())))
                    .containsExactly("org.hcaactors."
                            + each.getKey().replaceFirst("^hca-", "").replace('-', '.'));
        }
    }

    @Test
    void modulesExportToAllWhatIsPublicAndNothingElse() throws IOException {
        for (Map.Entry<String, Path> each : PUBLISHED.entrySet()) {
            assertThat(named(TO_ALL, 1, declaration(each.getValue())))
                    .as(each.getKey())
                    .containsExactlyElementsOf(packages(each.getValue()).stream()
                            .filter(PublicRooms::have)
                            .toList());
        }
    }

    /** javac does not check that the target modules exist. */
    @Test
    void whatIsExportedToSomeIsExportedToOurModules() throws IOException {
        Set<String> modules = new TreeSet<>();
        Set<String> named = new TreeSet<>();
        for (Path directory : PUBLISHED.values()) {
            String declaration = declaration(directory);
            modules.addAll(named(NAME, 1, declaration));
            named(TO_SOME, 2, declaration)
                    .forEach(to -> named.addAll(List.of(to.strip().split(",\\s*"))));
        }
        assertThat(named).hasSizeGreaterThan(3);
        assertThat(modules).containsAll(named);
    }

    @Test
    void aPackageIsInOneModule() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        for (Map.Entry<String, Path> each : PUBLISHED.entrySet()) {
            for (String room : packages(each.getValue())) {
                assertThat(owners.put(room, each.getKey())).as(room).isNull();
            }
        }
    }

    /** They access all packages, from the class path. */
    @Test
    void whatIsNotPublishedIsNoModule() {
        assertThat(UNPUBLISHED.values()).noneMatch(directory -> Files.exists(directory.resolve(DECLARATION)));
    }
}
