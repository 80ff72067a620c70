// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.checks.PackageDiagram.Arrow;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Checks that the package diagram on the contributors' page matches the dependencies in the code. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PackageDiagramTest {
    private static final Pattern ROOM =
            Pattern.compile("org\\.hcaactors\\.(?:(?:adapter|actors)\\.(?<room>\\w+)|(?<other>network|fabric))\\..*");

    private final PackageDiagram picture =
            PackageDiagram.on(Files.readString(Path.of("../../docs/internals/architecture.md")));

    /** Dependencies between packages in code, each with an example. */
    private final Map<Arrow, String> known = known();

    PackageDiagramTest() throws IOException {}

    /** Returns the dependencies in main code; test classes may be in a package of the same name and are ignored. */
    private static Map<Arrow, String> known() {
        List<String> homes = Stream.of(RdmaNetwork.class, QueuePairMachine.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toList();
        Map<Arrow, String> known =
                new TreeMap<>(Comparator.comparing(Arrow::from).thenComparing(Arrow::to));
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(place -> homes.stream().anyMatch(place::contains))
                .importPackages("org.hcaactors.adapter", "org.hcaactors.actors", "org.hcaactors.network")) {
            for (Dependency each : type.getDirectDependenciesFromSelf()) {
                room(type)
                        .ifPresent(from -> room(each.getTargetClass())
                                .filter(to -> !to.equals(from))
                                .ifPresent(to -> known.putIfAbsent(new Arrow(from, to), each.getDescription())));
            }
        }
        return known;
    }

    private static Optional<String> room(JavaClass type) {
        Matcher name = ROOM.matcher(type.getName());
        return name.matches()
                ? Optional.ofNullable(name.group("room")).or(() -> Optional.of(name.group("other")))
                : Optional.empty();
    }

    private Arrow boxes(Arrow rooms) {
        return new Arrow(box(rooms.from()), box(rooms.to()));
    }

    private String box(String room) {
        return picture.boxes().getOrDefault(room, "no box for " + room);
    }

    @Test
    void theDiagramShowsEveryPackage() {
        assertThat(known.keySet().stream()
                        .flatMap(arrow -> Stream.of(arrow.from(), arrow.to()))
                        .distinct())
                .hasSizeGreaterThan(15)
                .containsExactlyInAnyOrderElementsOf(picture.boxes().keySet());
    }

    @Test
    void everyArrowIsADependency() {
        Set<Arrow> inCode = known.keySet().stream().map(this::boxes).collect(Collectors.toSet());
        assertThat(picture.arrows())
                .isNotEmpty()
                .filteredOn(arrow -> !inCode.contains(arrow))
                .isEmpty();
    }

    @Test
    void everyDependencyHasAPathOfArrows() {
        assertThat(known.entrySet())
                .filteredOn(each -> {
                    Arrow boxes = boxes(each.getKey());
                    return !picture.leads(boxes.from(), boxes.to());
                })
                .isEmpty();
    }

    @Test
    void thePackageDiagramHasNoCycle() {
        assertThat(picture.arrows())
                .filteredOn(arrow -> picture.leads(arrow.to(), arrow.from()))
                .isEmpty();
    }
}
