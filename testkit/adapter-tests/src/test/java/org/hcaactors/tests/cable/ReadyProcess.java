// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A JVM with a program that says when it is ready, and runs until its standard input ends. */
public final class ReadyProcess implements AutoCloseable {
    private static final String READY = "ready";
    private static final int LONGEST_END_SECONDS = 60;

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    private ReadyProcess(Process process, BufferedReader output) {
        this.process = process;
        this.output = output;
        input = new PrintWriter(process.outputWriter(), true);
    }

    /** Says that this program is ready, and returns when its standard input ends. */
    public static void ready() throws IOException {
        System.out.println(READY);
        while (System.in.read() >= 0) {
            // Input has no meaning but its end.
        }
    }

    /** Says that this program is ready, and answers each line of its standard input with a line, until it ends. */
    public static void answer(UnaryOperator<String> answers) throws IOException {
        System.out.println(READY);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(answers.apply(line));
        }
    }

    /** Sends the program a line, and returns its answer. */
    public String ask(String line) {
        input.println(line);
        try {
            String answer = output.readLine();
            assertThat(answer).as("the answer to " + line).isNotNull();
            return answer;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns when the program is ready. */
    public static ReadyProcess start(Class<?> program, Object... arguments) {
        return start(System.getProperty("java.class.path"), ProcessBuilder.Redirect.INHERIT, program, arguments);
    }

    /**
     * Returns when the program is ready.
     *
     * @param errors where its standard error goes
     */
    public static ReadyProcess start(
            String classPath, ProcessBuilder.Redirect errors, Class<?> program, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                program.getName()));
        List.of(arguments).forEach(argument -> command.add(argument.toString()));
        try {
            Process started = new ProcessBuilder(command).redirectError(errors).start();
            BufferedReader output = started.inputReader();
            assertThat(output.readLine()).isEqualTo(READY);
            return new ReadyProcess(started, output);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends the program's input, waits for its end, and returns its exit status. */
    public int exit() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
        return process.exitValue();
    }

    /** Kills the process by a signal that it can't handle. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Stops the process, until {@link #goOn}. */
    public void standStill() throws IOException, InterruptedException {
        signal("-STOP");
    }

    public void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** Waits for the end of the process. */
    public void awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
