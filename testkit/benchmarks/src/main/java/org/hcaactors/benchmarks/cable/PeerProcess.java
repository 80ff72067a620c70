// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hcaactors.benchmarks.CpuTime;

/** The other JVM, with the same options as this one. */
final class PeerProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 10;
    private static final String READY = "ready ";

    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;
    private final String told;

    /** @param main class that calls {@link #answer} */
    PeerProcess(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = process.inputReader();
            input = process.outputWriter();
            String first = String.valueOf(output.readLine());
            if (!first.startsWith(READY)) {
                throw new IllegalStateException("the other JVM did not start: " + first);
            }
            told = first.substring(READY.length());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** In the other JVM: says that it is ready, and answers each line of its input with its CPU time, until the input ends. */
    static void answer(String told) throws IOException {
        System.out.println(READY + told);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
            System.out.println(CpuTime.nanos());
        }
    }

    /** Returns what it told when it was ready. */
    String told() {
        return told;
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
