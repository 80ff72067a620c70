// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A copy of a class path in a folder: jars and folders of classes, numbered in their order. */
public final class KeptBuild {
    private static final String SUFFIX = ".build";

    private KeptBuild() {}

    /** Returns the folder for the build of a stored run. */
    static Path folderOf(Path file) {
        return file.resolveSibling(file.getFileName() + SUFFIX);
    }

    /** Copies the existing entries of a class path; throws TrendRefusal if that fails. */
    static void keep(String classPath, Path folder) {
        List<Path> entries = Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath)
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        try {
            Files.createDirectories(folder);
            for (int i = 0; i < entries.size(); i++) {
                Path entry = entries.get(i);
                copy(entry, folder.resolve("%03d-%s".formatted(i, entry.getFileName())));
            }
        } catch (IOException failed) {
            throw new TrendRefusal("the build cannot be kept in " + folder + ": " + failed.getMessage());
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    /** Returns the class path kept there, in its order; empty if there is none. */
    static Optional<String> classPath(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            String path = entries.sorted()
                    .map(entry -> entry.toAbsolutePath().toString())
                    .collect(Collectors.joining(File.pathSeparator));
            return Optional.of(path).filter(all -> !all.isEmpty());
        } catch (IOException unreadable) {
            throw new TrendRefusal(folder + " cannot be read: " + unreadable.getMessage());
        }
    }

    /** Removes the folder with its contents. */
    static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new TrendRefusal(folder + " cannot be removed: " + failed.getMessage());
        }
    }
}
