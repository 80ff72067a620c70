// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A command that runs on a thread of its own, in this JVM, while the test reads what it prints. */
final class RunningCommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> read = new ArrayList<>();
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> status;

    private RunningCommand(String[] arguments) {
        status = CompletableFuture.supplyAsync(
                () -> Hca.commandLine(new PrintWriter(new Lines()), new PrintWriter(err))
                        .execute(arguments),
                work -> Thread.ofPlatform().daemon().name("command").start(work));
    }

    static RunningCommand of(String line) {
        return new RunningCommand(line.split(" "));
    }

    /** Splits what is printed. */
    private final class Lines extends Writer {
        private final StringBuilder begun = new StringBuilder();

        @Override
        public void write(char[] characters, int from, int length) {
            begun.append(characters, from, length);
            for (int end = begun.indexOf("\n"); end >= 0; end = begun.indexOf("\n")) {
                lines.add(begun.substring(0, end));
                begun.delete(0, end + 1);
            }
        }

        @Override
        public void flush() {
            // Lines are there when they are complete.
        }

        @Override
        public void close() {
            // Nothing is kept.
        }
    }

    /** Waits for a line with these words, and returns it. */
    String line(String words) throws InterruptedException {
        String next = "";
        while (!next.contains(words)) {
            String line = lines.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(line).as("a line with %s after %s, %s", words, read, err).isNotNull();
            read.add(line);
            next = line;
        }
        return next;
    }

    /** Waits for the line that tells its TCP port, which is the end of that line. */
    int port() throws InterruptedException {
        String line = line("TCP ");
        return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
    }

    /** Waits for its end. */
    CommandRun end() {
        assertThat(status).as("the end after %s", read).succeedsWithin(TIMEOUT);
        lines.drainTo(read);
        return new CommandRun(status.getNow(-1), String.join("\n", read) + "\n", err.toString());
    }
}
