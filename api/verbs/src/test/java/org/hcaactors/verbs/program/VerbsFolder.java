// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The folder that the build made, and environments of programs that use it. */
final class VerbsFolder {
    /** The device of each program. */
    static final String DEVICE = "hca0";

    /** The RoCE v2 entry of the GID table. */
    static final String GID_INDEX = "0";

    private static final Path FOLDER =
            Path.of(System.getProperty("verbs.folder", "target/verbs")).toAbsolutePath();

    private static final int PER_NETWORK = 200;

    /** Processes of other JVMs with tests have other networks. */
    private static final String NETWORK = "127." + (16 + ProcessHandle.current().pid() % 200);

    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    private VerbsFolder() {}

    static Path path() {
        assertThat(FOLDER.resolve("lib/libibverbs.so.1")).exists();
        return FOLDER;
    }

    /** Returns an address that no other program of this JVM has had. */
    static String address() {
        return addresses(1);
    }

    /** Returns the first of so many addresses that follow each other. */
    static String addresses(int count) {
        int first = ADDRESSES.getAndAdd(count);
        // Not across the end of a network of 256.
        while (first % PER_NETWORK + count > PER_NETWORK) {
            first = ADDRESSES.getAndAdd(count);
        }
        return NETWORK + "." + first / PER_NETWORK % 256 + "." + (2 + first % PER_NETWORK);
    }

    /** Returns the environment of a program with an adapter. */
    static Map<String, String> environment(String address) {
        return Map.of(
                "LD_LIBRARY_PATH",
                path().resolve("lib").toString(),
                "HCA_VERBS_PROFILE",
                "connectx-6",
                "HCA_VERBS_ADDRESS",
                address,
                // The machine of a test may be busy, and its JVMs are cold.
                "HCA_VERBS_SLOWER",
                "32");
    }

    /** Leaves the test out, in one line, if a program is missing. */
    static void require(String program, String debianPackage) {
        boolean there = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(there, () -> "left out: " + program + " is missing; install the package " + debianPackage);
    }
}
