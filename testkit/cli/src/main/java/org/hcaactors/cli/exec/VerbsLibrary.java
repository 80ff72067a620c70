// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder with the replacement of libibverbs and libmlx5, and the jars that it starts.
 *
 * @param folder has {@code lib} and {@code jars}
 */
public record VerbsLibrary(Path folder) {
    /** The environment variable that names the folder; {@code testkit/hca} sets it. */
    public static final String HOME = "HCA_VERBS_HOME";

    private static final String SEARCH_PATH = "LD_LIBRARY_PATH";

    /** Returns the library of this environment; empty if none is named, or the folder has none. */
    public static Optional<VerbsLibrary> find(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(HOME))
                .filter(home -> !home.isEmpty())
                .map(home -> new VerbsLibrary(Path.of(home).toAbsolutePath()))
                .filter(library -> Files.exists(library.libraries().resolve("libibverbs.so.1")));
    }

    /** Returns the names of the functions that it can refuse. */
    public List<String> refusable() throws IOException {
        return Files.readAllLines(folder.resolve("refusable"));
    }

    private Path libraries() {
        return folder.resolve("lib");
    }

    /** Makes the program of this environment find this library before that of the system. */
    void addTo(Map<String, String> environment) {
        environment.merge(SEARCH_PATH, libraries().toString(), (others, own) -> own + File.pathSeparator + others);
    }
}
