// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that runs, in a folder of its own where a crash of its JVM would leave a file. */
final class Started implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(120);
    private static final String LISTENING = "0A";

    private final String name;
    private final Process process;
    private final Path folder;

    private Started(String name, Process process, Path folder) {
        this.name = name;
        this.process = process;
        this.folder = folder;
    }

    /** @param additional variables besides those of an adapter at that address */
    static Started of(String address, Map<String, String> additional, List<String> command) throws IOException {
        Path folder = Files.createTempDirectory("verbs-test");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().putAll(VerbsFolder.environment(address));
        builder.environment().putAll(additional);
        return new Started(Path.of(command.getFirst()).getFileName().toString(), builder.start(), folder);
    }

    /** Waits until something listens at the TCP port, or the program has ended. */
    void awaitListening(int port) {
        String place = ":%04X".formatted(port);
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive()
                        || sockets().anyMatch(columns -> columns[1].endsWith(place) && columns[3].equals(LISTENING)));
    }

    private static Stream<String[]> sockets() throws IOException {
        Stream<String> all = Stream.empty();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            if (Files.exists(Path.of(table))) {
                all = Stream.concat(all, Files.readAllLines(Path.of(table)).stream());
            }
        }
        return all.map(line -> line.strip().split("\\s+")).filter(columns -> columns.length > 3);
    }

    /** Waits until it has printed these words. */
    void awaitOutput(String words) {
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive() || output().contains(words));
    }

    Ended end() throws IOException, InterruptedException {
        return end(LONGEST);
    }

    /** Waits for its end; a JVM that crashed fails the test. */
    Ended end(Duration longest) throws IOException, InterruptedException {
        boolean inTime = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(inTime)
                .as("%s ends within %s; it has printed: %s", name, longest, output())
                .isTrue();
        assertThat(crashes()).as("crashes of the JVM of %s: %s", name, output()).isEmpty();
        return new Ended(name, process.exitValue(), output());
    }

    private List<Path> crashes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("hs_err"))
                    .toList();
        }
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    /** Ends it as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertThat(process.onExit()).succeedsWithin(10, TimeUnit.SECONDS);
    }
}
