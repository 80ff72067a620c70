// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for a recorded run of this JVM. */
final class RecordOption {
    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "at the end write what happened here as a recorded run, for hca flow and explain; hca join joins it"
                            + " with that of the other end. It has the newest " + TraceRecorder.CAPACITY + " events")
    private @Nullable Path file;

    private final TraceRecorder recorder = new TraceRecorder();

    boolean isUsed() {
        return file != null;
    }

    /** True if the run is written to this file. */
    boolean writes(Path other) {
        return file != null
                && file.toAbsolutePath()
                        .normalize()
                        .equals(other.toAbsolutePath().normalize());
    }

    /** Returns what records the events, if they are wanted. */
    TraceSink trace() {
        return file == null ? TraceSink.NONE : recorder;
    }

    /**
     * Creates the file, if it is wanted: a long run does not end with one that cannot be written.
     *
     * @throws BadInputException if the file cannot be written
     */
    void create() throws BadInputException {
        if (file == null) {
            return;
        }
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException refused) {
            throw BadInputException.unwritable(file, refused);
        }
    }

    /**
     * Writes the run, if it is wanted.
     *
     * @throws BadInputException if the file cannot be written
     */
    void write() throws BadInputException {
        if (file == null) {
            return;
        }
        try {
            RlogWriter.write(
                    Rlog.Header.of(file.getFileName().toString()), recorder.events(), recorder.forgotten(), file);
        } catch (IOException refused) {
            throw BadInputException.unwritable(file, refused);
        }
    }
}
