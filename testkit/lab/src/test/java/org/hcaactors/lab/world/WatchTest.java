// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.Test;

/** What is checked in a world, by who looks at it. */
class WatchTest {
    private static List<String> names(Watch watch) {
        try (World world = World.of(WorldOptions.of(1).with(watch))) {
            return world.invariants();
        }
    }

    /** The names in a chapter of the guide. */
    private static Set<String> inTheGuide(String chapter) throws IOException {
        String page = Files.readString(Path.of("../guide/invariants.md"));
        String tables =
                page.substring(page.indexOf("\n## " + chapter + "\n") + 1).split("\n## ", 2)[0];
        return Pattern.compile("`([a-z]+(?:-[a-z]+)*)` \\(")
                .matcher(tables)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Test
    void theGuideHasAllInvariantsByWhatTheyAreAbout() throws IOException {
        List<String> ofPrograms = names(Watch.PROGRAM);
        Set<String> others = new LinkedHashSet<>(names(Watch.PROTOCOL));
        ofPrograms.forEach(others::remove);
        assertThat(inTheGuide("Of programs")).containsExactlyInAnyOrderElementsOf(ofPrograms);
        assertThat(inTheGuide("Of the adapter's protocol")).containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void theInvariantsOfProgramsAreAmongThoseOfTheProtocol() {
        assertThat(names(Watch.PROGRAM)).isNotEmpty();
        assertThat(names(Watch.PROTOCOL)).containsAll(names(Watch.PROGRAM)).doesNotHaveDuplicates();
    }

    @Test
    void aProgramThatIsTestedIsJudgedAndItsAdaptersAreTrusted() {
        assertThat(WorldOptions.ofProgram(1, Pace.DRAWN).watch()).isEqualTo(Watch.PROGRAM);
    }

    @Test
    void guardedMemoryIsAProgramsBusiness() {
        World world = World.of(WorldOptions.of(1).with(Watch.PROGRAM));
        Adapter a = world.adapter("a");
        var memory = a.process("app").allocate(64);
        world.guard(a, "app", memory);
        memory.write(0, new byte[] {42});
        assertThatThrownBy(() -> world.heal(Duration.ofSeconds(1)))
                .isInstanceOf(InvariantBrokenException.class)
                .hasMessageContaining("guarded-memory");
        assertThatThrownBy(world::close).isInstanceOf(InvariantBrokenException.class);
    }

    @Test
    void whatAdaptersWriteToGuardedMemoryIsAllowedToThem() {
        try (World world = World.of(WorldOptions.of(1).with(Watch.PROGRAM))) {
            Adapter b = world.adapter("b");
            ConnectedPair pair = world.connect(world.adapter("a"), b);
            world.guard(b, "app", pair.b().memory());
            pair.a().memory().write(0, new byte[] {42});
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
            world.heal(Duration.ofMinutes(1));
            assertThat(pair.b().memory().read(0, 1)).containsExactly(42);
        }
    }
}
