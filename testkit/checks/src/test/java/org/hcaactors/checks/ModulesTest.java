// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the published modules: their names, and what they export to which modules. */
class ModulesTest {
    /** Writes and reads recorded runs. */
    private static final Set<String> LOOKS_INTO_VALUES = Set.of("com.fasterxml.jackson.databind");

    /** By module; what is looked up there for programs that bring it. */
    private static final Map<String, Set<String>> LOOKED_UP = Map.of(
            "org.hcaactors.actors", Set.of("org.slf4j.spi.SLF4JServiceProvider"),
            "org.hcaactors.lab", Set.of("org.hcaactors.lab.invariant.InvariantProvider"));

    private static List<Declaration> declarations;

    @BeforeAll
    static void read() {
        declarations = Declaration.published();
    }

    private static Set<String> modules() {
        return declarations.stream().map(each -> each.module().name()).collect(toSet());
    }

    @Test
    void everyPublishedArtifactIsAModuleNamedAfterIt() {
        assertThat(declarations)
                .hasSizeGreaterThan(10)
                .allSatisfy(each -> assertThat(each.module().name())
                        .isEqualTo("org.hcaactors."
                                + each.artifact().replaceFirst("^hca-", "").replace('-', '.')));
    }

    @Test
    void modulesExportExactlyThePublicPackagesToAll() {
        assertThat(declarations)
                .allSatisfy(each -> assertThat(each.toAll())
                        .containsExactlyElementsOf(each.packages().stream()
                                .filter(PublicPackages::have)
                                .toList()));
    }

    /** javac does not check that the target modules exist, but it does so for required ones. */
    @Test
    void qualifiedExportsNameOurModulesOrRequiredOnes() {
        Set<String> named = new TreeSet<>();
        for (Declaration each : declarations) {
            assertThat(each.toSome()).allSatisfy(export -> {
                assertThat(each.packages()).contains(export.source());
                named.addAll(export.targets());
                each.module().requires().forEach(required -> named.remove(required.name()));
            });
        }
        assertThat(named).hasSizeGreaterThan(3);
        assertThat(modules()).containsAll(named);
    }

    /** A package that is open to all, or a module that is open, would be as public as what is exported. */
    @Test
    void packagesAreOpenOnlyToTheReaderOfRecordedRuns() {
        assertThat(declarations)
                .allSatisfy(each -> {
                    assertThat(each.module().isOpen()).isFalse();
                    assertThat(each.module().opens())
                            .allSatisfy(open -> assertThat(open.targets()).isEqualTo(LOOKS_INTO_VALUES));
                })
                .anySatisfy(each -> assertThat(each.module().opens()).isNotEmpty());
    }

    @Test
    void modulesUseServicesOfProgramsAndProvideNone() {
        Map<String, Set<String>> used = new TreeMap<>();
        declarations.forEach(
                each -> used.put(each.module().name(), each.module().uses()));
        used.values().removeIf(Set::isEmpty);
        assertThat(used).isEqualTo(LOOKED_UP);
        assertThat(LOOKED_UP.values().stream().flatMap(Set::stream))
                .allSatisfy(type -> assertThatCode(() -> Class.forName(type)).doesNotThrowAnyException());
        assertThat(declarations)
                .allSatisfy(each -> assertThat(each.module().provides()).isEmpty());
    }

    /** Of our own: what a jar brings, the POM says, and the module must ask for the same. */
    @Test
    void modulesRequireTheModulesOfTheirPomsDependencies() {
        Map<String, String> artifacts = new TreeMap<>();
        declarations.forEach(each -> artifacts.put(each.module().name(), each.artifact()));
        Map<String, List<String>> brought = new TreeMap<>();
        Pom.all().forEach(pom -> brought.put(pom.artifact(), pom.ours()));
        assertThat(declarations)
                .allSatisfy(each -> assertThat(each.module().requires().stream()
                                .map(required -> required.name())
                                .filter(artifacts::containsKey)
                                .map(artifacts::get))
                        .isSubsetOf(brought.get(each.artifact())));
    }

    @Test
    void aPackageIsInOneModule() {
        Map<String, String> owners = new TreeMap<>();
        for (Declaration each : declarations) {
            for (String room : each.packages()) {
                assertThat(owners.put(room, each.artifact())).as(room).isNull();
            }
        }
    }

    /** They access all packages, from the class path. */
    @Test
    void unpublishedArtifactsAreNoModules() {
        Stream<Pom> unpublished = Pom.all().stream().filter(pom -> !pom.isPublished());
        assertThat(unpublished.filter(pom -> Declaration.isIn(pom.directory())).map(Pom::artifact))
                .containsExactly("start");
    }
}
