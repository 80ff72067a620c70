// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeSet;

/**
 * The seed that showed each bug when {@code -Dplanted.write=true} last wrote that down: what comes before it found nothing, and a
 * new strand of the sweep moves all of them.
 */
final class FirstSeeds {
    private static final String FILE = "first-seeds.properties";
    private static final Path SOURCE =
            Path.of("src/test/resources", FirstSeeds.class.getPackageName().replace('.', '/'), FILE);
    private static final String HEAD =
            "# Written by PlantedBugsTest with -Dplanted.write=true: the seed that showed each bug.\n";

    private final Properties seeds;

    private FirstSeeds(Properties seeds) {
        this.seeds = seeds;
    }

    static FirstSeeds read() {
        Properties seeds = new Properties();
        try (InputStream file = FirstSeeds.class.getResourceAsStream(FILE)) {
            if (file != null) {
                seeds.load(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return new FirstSeeds(seeds);
    }

    /** The bug's own hunt, from that seed on where there is one. */
    Hunt hunt(Planted bug) {
        String seed = seeds.getProperty(bug.toString());
        return seed == null ? bug.hunt() : bug.hunt().beginningAt(Long.parseLong(seed));
    }

    /** A bug that is found by something else than a seed is left out. */
    void found(Planted bug, OptionalLong seed) {
        seed.ifPresent(number -> seeds.setProperty(bug.toString(), Long.toString(number)));
    }

    void write() {
        List<String> lines = new ArrayList<>();
        new TreeSet<>(seeds.stringPropertyNames()).forEach(bug -> lines.add(bug + "=" + seeds.getProperty(bug) + "\n"));
        try {
            Files.createDirectories(SOURCE.getParent());
            Files.writeString(SOURCE, HEAD + String.join("", lines), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
