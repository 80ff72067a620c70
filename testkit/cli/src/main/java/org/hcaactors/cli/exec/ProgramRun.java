// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A run of programs: they start in order, and their end is the end of the run. Thread-safe for {@link #stop}; otherwise one thread.
 *
 * <p>Limits: the run itself; after the first failure the others have {@value #SECONDS_AFTER_FAILURE} s.
 */
public final class ProgramRun {
    /** Exit status of a program that ran out of time, as of timeout(1). */
    public static final int OUT_OF_TIME = 124;

    /** The file in the folder of the report by which living processes are asked for their report. */
    static final String WANTED = "write";

    public static final int SECONDS_AFTER_FAILURE = 30;
    /** A shell's status of a process that a signal ended is this and the signal's number. */
    private static final int AFTER_SIGNAL = 128;

    private static final int LAST_SIGNAL = 64;
    /** Those by which programs end, by their numbers on Linux. */
    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP",
            2, "SIGINT",
            4, "SIGILL",
            6, "SIGABRT",
            7, "SIGBUS",
            8, "SIGFPE",
            9, "SIGKILL",
            11, "SIGSEGV",
            13, "SIGPIPE",
            15, "SIGTERM");

    private static final int LOOK_EVERY_MILLIS = 50;
    private static final int REPORT_MILLIS = 5000;

    private final VerbsLibrary library;
    private final VerbsSettings settings;
    private final List<RunningProgram> started = new ArrayList<>();
    private final BlockingQueue<RunningProgram> ended = new LinkedBlockingQueue<>();
    private volatile boolean stopped;

    /**
     * Result of a run.
     *
     * @param status 0, or that of the first program that failed
     * @param words what went wrong, for readers; empty if nothing did
     * @param ends with what a program ended by itself, by its name: {@code status 1}, {@code signal 11 (SIGSEGV)}
     */
    public record Result(int status, List<String> words, Map<String, String> ends) {
        public Result {
            words = List.copyOf(words);
            ends = Map.copyOf(ends);
        }
    }

    public ProgramRun(VerbsLibrary library, VerbsSettings settings) {
        this.library = library;
        this.settings = settings;
    }

    /**
     * Runs one program with the input and the outputs of this process.
     *
     * @throws IOException if it cannot be started
     */
    public Result alone(VerbsProgram program, Duration longest) throws IOException, InterruptedException {
        try {
            add(RunningProgram.inherit(program, builder(program, List.of(program))));
            return await(System.nanoTime() + longest.toNanos());
        } finally {
            started.forEach(RunningProgram::end);
        }
    }

    /**
     * Runs several programs; each line of their outputs begins with the name.
     *
     * @param patience until the next program starts, if the one before does not listen at a TCP port
     * @throws IOException if one of them cannot be started
     */
    public Result together(
            List<VerbsProgram> programs, Duration patience, Duration longest, PrintWriter out, PrintWriter err)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            for (VerbsProgram program : programs) {
                if (!started.isEmpty()) {
                    awaitListening(started.getLast(), Math.min(deadline, System.nanoTime() + patience.toNanos()));
                }
                if (!stopped) {
                    add(RunningProgram.prefixed(program, builder(program, programs), out, err));
                }
            }
            return await(deadline);
        } finally {
            started.forEach(RunningProgram::end);
        }
    }

    /** Ends the run early. Any thread. */
    public void stop() {
        stopped = true;
    }

    private ProcessBuilder builder(VerbsProgram program, List<VerbsProgram> all) {
        ProcessBuilder builder = new ProcessBuilder(program.command());
        Map<String, String> environment = builder.environment();
        library.addTo(environment);
        settings.addTo(environment);
        program.addTo(environment, all);
        return builder;
    }

    private void add(RunningProgram program) {
        started.add(program);
        program.onExit().thenAccept(ended::add);
    }

    private void awaitListening(RunningProgram program, long until) throws InterruptedException {
        while (!stopped
                && System.nanoTime() < until
                && program.isAlive()
                && !ListeningProcesses.areAmong(program.processes())) {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private Result await(long deadline) throws InterruptedException {
        long until = deadline;
        Optional<RunningProgram> first = Optional.empty();
        List<String> words = new ArrayList<>();
        Map<String, String> ends = new LinkedHashMap<>();
        int left = started.size();
        while (left > 0 && !stopped && System.nanoTime() < until) {
            RunningProgram program = ended.poll(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            if (program == null) {
                continue;
            }
            left--;
            int status = program.status().orElse(0);
            ends.put(program.program().name(), status(status));
            if (status != 0) {
                words.add(program.program().name() + " ended with " + status(status));
            }
            if (status != 0 && first.isEmpty()) {
                first = Optional.of(program);
                until = Math.min(
                        until,
                        System.nanoTime()
                                + Duration.ofSeconds(SECONDS_AFTER_FAILURE).toNanos());
            }
        }
        if (left > 0) {
            endLate(words, until < deadline);
        }
        for (RunningProgram each : started) {
            each.finishOutput();
        }
        int late = left > 0 ? OUT_OF_TIME : 0;
        return new Result(first.flatMap(RunningProgram::status).orElse(late), words, ends);
    }

    private void endLate(List<String> words, boolean afterFailure) throws InterruptedException {
        List<RunningProgram> late =
                started.stream().filter(RunningProgram::isAlive).toList();
        for (RunningProgram each : late) {
            String why = stopped
                    ? "was running when the run was stopped"
                    : afterFailure
                            ? "did not end within " + SECONDS_AFTER_FAILURE + " s of the first failure"
                            : "did not end in time";
            words.add(each.program().name() + " " + why + ", and is ended");
        }
        settings.report().ifPresent(folder -> askForReports(folder, late));
        late.forEach(RunningProgram::end);
    }

    /** A process that is killed writes no report at its end, so it is asked before. */
    private static void askForReports(Path folder, List<RunningProgram> late) {
        Path wanted = folder.resolve(WANTED);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REPORT_MILLIS);
        try {
            Files.writeString(wanted, "");
            while (System.nanoTime() < until && !late.stream().allMatch(each -> hasReport(folder, each))) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
            Files.deleteIfExists(wanted);
        } catch (IOException unwritable) {
            // The folder was writable before; without it there is no report of these programs.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean hasReport(Path folder, RunningProgram program) {
        return program.processes()
                .anyMatch(
                        process -> Files.exists(folder.resolve(program.program().name() + "-" + process + ".rlog")));
    }

    private static String status(int status) {
        boolean signal = status > AFTER_SIGNAL && status <= AFTER_SIGNAL + LAST_SIGNAL;
        return signal ? signal(status - AFTER_SIGNAL) : "status " + status;
    }

    private static String signal(int number) {
        return "signal " + number
                + Optional.ofNullable(SIGNALS.get(number))
                        .map(name -> " (" + name + ")")
                        .orElse("");
    }
}
