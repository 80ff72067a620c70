// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with the same options as this one, in which a {@link CablePeer} runs. */
final class PeerProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 10;

    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;

    PeerProcess(Places places) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(CablePeer.class.getName());
        command.addAll(places.arguments());
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = process.inputReader();
            input = process.outputWriter();
            String first = output.readLine();
            if (!CablePeer.READY.equals(first)) {
                throw new IllegalStateException("the other JVM did not start: " + first);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the CPU time of that JVM. */
    long cpuNanos() {
        try {
            input.write('\n');
            input.flush();
            return Long.parseLong(output.readLine());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws InterruptedException {
        try {
            input.close();
        } catch (IOException ended) {
            // It has no input any more.
        }
        if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
