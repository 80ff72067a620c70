// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A program of a run, with the processes that it started. */
public final class RunningProgram {
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final Duration LONGEST_OUTPUT = Duration.ofSeconds(5);

    private final VerbsProgram program;
    private final Process process;
    private final List<Thread> readers;

    private RunningProgram(VerbsProgram program, Process process, List<Thread> readers) {
        this.program = program;
        this.process = process;
        this.readers = List.copyOf(readers);
    }

    /** Starts it with the input and the outputs of this process. */
    static RunningProgram inherit(VerbsProgram program, ProcessBuilder builder) throws IOException {
        return new RunningProgram(program, builder.inheritIO().start(), List.of());
    }

    /** Starts it without input; each line of its outputs has its name before it. */
    static RunningProgram prefixed(VerbsProgram program, ProcessBuilder builder, PrintWriter out, PrintWriter err)
            throws IOException {
        Process process = builder.redirectInput(new File("/dev/null")).start();
        return new RunningProgram(
                program,
                process,
                List.of(
                        copy(program.name(), process.inputReader(), out),
                        copy(program.name(), process.errorReader(), err)));
    }

    private static Thread copy(String name, BufferedReader from, PrintWriter to) {
        return Thread.ofVirtual().name("output of " + name).start(() -> {
            try {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                    synchronized (to) {
                        to.println(name + ": " + line);
                        to.flush();
                    }
                }
            } catch (IOException closed) {
                // The program is killed, and has no output any more.
            }
        });
    }

    public VerbsProgram program() {
        return program;
    }

    CompletableFuture<RunningProgram> onExit() {
        return process.onExit().thenApply(ended -> this);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns its exit status, 128 and the number of the signal if one ended it; empty while it runs. */
    Optional<Integer> status() {
        return process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
    }

    /** Returns the numbers of its processes. */
    LongStream processes() {
        return LongStream.concat(
                LongStream.of(process.pid()), process.descendants().mapToLong(ProcessHandle::pid));
    }

    /** Ends its processes: first it asks them to, and then it kills those that remain. */
    void end() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .orTimeout(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(late -> null)
                    .join();
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Waits until its last line is printed, unless a process that it left behind keeps the output open. */
    void finishOutput() throws InterruptedException {
        for (Thread reader : readers) {
            reader.join(LONGEST_OUTPUT);
        }
    }
}
