// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Processes that listen at a TCP port, by Linux's {@code /proc}. */
final class ListeningProcesses {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";
    private static final int STATE = 3;
    private static final int INODE = 9;

    private ListeningProcesses() {}

    /** True if one of the processes listens; false, too, if that cannot be read. */
    static boolean areAmong(LongStream processes) {
        Set<String> sockets = new LinkedHashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            listening(PROC.resolve("net").resolve(table), sockets);
        }
        return !sockets.isEmpty() && processes.anyMatch(process -> has(process, sockets));
    }

    private static void listening(Path table, Set<String> sockets) {
        try (Stream<String> lines = Files.lines(table)) {
            lines.map(line -> line.strip().split("\\s+"))
                    .filter(columns -> columns.length > INODE && columns[STATE].equals(LISTENING))
                    .forEach(columns -> sockets.add("socket:[" + columns[INODE] + "]"));
        } catch (IOException unreadable) {
            // A machine without this version of IP has no such table.
        }
    }

    private static boolean has(long process, Set<String> sockets) {
        Path descriptors = PROC.resolve(Long.toString(process)).resolve("fd");
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.anyMatch(descriptor -> sockets.contains(target(descriptor)));
        } catch (IOException ended) {
            return false;
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
