// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of each thread of the JVM until now, its own ones too, in nanoseconds: what Linux knows of each thread is finer than the
 * hundredths of a second in which it counts a process. Elsewhere that of the process.
 *
 * @param nanos by thread
 */
record ThreadTimes(Map<String, Long> nanos) {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final boolean KNOWN = Files.isReadable(Path.of("/proc/self/schedstat"));

    static ThreadTimes now() {
        if (!KNOWN) {
            return new ThreadTimes(Map.of("all", CpuTime.nanos()));
        }
        Map<String, Long> nanos = new HashMap<>();
        for (Path thread : threads()) {
            add(thread, nanos);
        }
        return new ThreadTimes(nanos);
    }

    private static List<Path> threads() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void add(Path thread, Map<String, Long> nanos) {
        try {
            String spent = Files.readString(thread.resolve("schedstat"));
            nanos.put(thread.getFileName().toString(), Long.parseLong(spent.substring(0, spent.indexOf(' '))));
        } catch (NoSuchFileException ended) {
            // Its time counts no more, and was not much: threads of a benchmark outlive its rounds.
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What all threads spent that are there now; of those that ended meanwhile nothing. */
    long since(ThreadTimes began) {
        return nanos.entrySet().stream()
                .mapToLong(now -> now.getValue() - began.nanos.getOrDefault(now.getKey(), 0L))
                .sum();
    }
}
