// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wireshark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs Wireshark's terminal program with our script. */
final class Tshark {
    private static final Path SCRIPT = Path.of("../wireshark/hca-actors.lua");

    private Tshark() {}

    static void assumeInstalled() {
        boolean there = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark")));
        assumeTrue(there, "tshark is not installed");
    }

    /** Returns one line per packet, fields separated by tabs. */
    static List<String> fields(Path capture, List<String> names) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-T", "fields"));
        names.forEach(name -> arguments.addAll(List.of("-e", name)));
        return run(capture, arguments).lines().toList();
    }

    /** Returns everything that it shows of each packet. */
    static String printed(Path capture) throws IOException, InterruptedException {
        return run(capture, List.of("-V"));
    }

    private static String run(Path capture, List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("tshark", "-X", "lua_script:" + SCRIPT, "-n", "-r", capture.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IOException(String.join(" ", command) + " closed its output and goes on");
        }
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
        }
        return printed;
    }
}
