// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Checks that the guide's page of invariants names all of them. */
class InvariantsPageTest {
    private static List<String> names(Watch watch) {
        try (World world = World.of(WorldOptions.of(1).with(watch))) {
            return world.invariants();
        }
    }

    /** Returns the names in a chapter of the guide. */
    private static Set<String> inTheGuide(String chapter) throws IOException {
        String page = Files.readString(Path.of("../../docs/guide/invariants.md"));
        String tables =
                page.substring(page.indexOf("\n## " + chapter + "\n") + 1).split("\n## ", 2)[0];
        return Pattern.compile("`([a-z]+(?:-[a-z]+)*)` \\(")
                .matcher(tables)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Test
    void theGuideListsAllInvariantsBySubject() throws IOException {
        List<String> ofPrograms = names(Watch.PROGRAM);
        Set<String> others = new LinkedHashSet<>(names(Watch.PROTOCOL));
        ofPrograms.forEach(others::remove);
        assertThat(inTheGuide("Of programs")).containsExactlyInAnyOrderElementsOf(ofPrograms);
        assertThat(inTheGuide("Of the adapter's protocol")).containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void invariantsOfProgramsAreAmongThoseOfTheProtocol() {
        assertThat(names(Watch.PROGRAM)).isNotEmpty();
        assertThat(names(Watch.PROTOCOL)).containsAll(names(Watch.PROGRAM)).doesNotHaveDuplicates();
    }
}
