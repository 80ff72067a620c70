// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The module of an artifact.
 *
 * @param packages that have sources there
 */
record Declaration(String artifact, ModuleDescriptor module, Set<String> packages) {
    private static final String COMPILED = "target/classes/module-info.class";

    /** Those of what is published, by artifact, as their jars have them. */
    static List<Declaration> published() {
        return Pom.all().stream().filter(Pom::isPublished).map(Declaration::of).toList();
    }

    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve("src/main/java/module-info.java"))
                || Files.exists(directory.resolve(COMPILED));
    }

    private static Declaration of(Pom pom) {
        try (InputStream compiled = Files.newInputStream(pom.directory().resolve(COMPILED))) {
            return new Declaration(pom.artifact(), ModuleDescriptor.read(compiled), packages(pom.directory()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the module of " + pom.artifact(), unreadable);
        }
    }

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

    /** Packages exported to all modules. */
    Set<String> toAll() {
        return module.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(toCollection(TreeSet::new));
    }

    /** What some modules may name. */
    List<ModuleDescriptor.Exports> toSome() {
        return module.exports().stream()
                .filter(ModuleDescriptor.Exports::isQualified)
                .toList();
    }
}
