// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Programs that these tests run. If one is missing, they fail and say what to install. */
enum Program {
    CHROMIUM("chromium"),
    CHROMEDRIVER("chromium-driver"),
    TSHARK("tshark");

    private final String debian;

    Program(String debian) {
        this.debian = debian;
    }

    /** Returns its path from PATH: nothing is downloaded. */
    Path path() {
        String name = name().toLowerCase(Locale.ROOT);
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        name + " is not on the PATH: install Debian's packages " + packages()));
    }

    private static String packages() {
        return Arrays.stream(values()).map(program -> program.debian).collect(Collectors.joining(", "));
    }
}
