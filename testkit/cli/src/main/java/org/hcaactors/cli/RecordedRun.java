// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.views.capture.CaptureSummary;
import org.hcaactors.views.capture.CapturedRun;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogFormatException;
import org.hcaactors.views.rlog.RlogReader;

/** Input file of a command: a recorded run, or a capture. */
final class RecordedRun {
    private RecordedRun() {}

    /** True if the file is a capture, which contains packets only. */
    static boolean isCapture(Path file) throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            return CaptureReader.isCapture(file);
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    static CapturedRun captured(Path file) throws BadInputException {
        try {
            return CapturedRun.read(file);
        } catch (CaptureFormatException wrong) {
            throw new BadInputException(file + ": " + wrong.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    static CaptureSummary story(Path file) throws BadInputException {
        try {
            return CaptureSummary.read(file);
        } catch (CaptureFormatException wrong) {
            throw new BadInputException(file + ": " + wrong.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    /** Reads a recorded run. */
    static Rlog read(Path file) throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            if (!RlogReader.isRun(file)) {
                throw new BadInputException(
                        file
                                + ": neither a capture nor a recorded run; uncompressed .pcap, .pcapng and .rlog files are allowed");
            }
            return RlogReader.read(file);
        } catch (RlogFormatException wrong) {
            throw new BadInputException(file + ": " + wrong.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    /** Returns notes for readers of any result, one per line. */
    static List<String> notes(Rlog run) {
        List<String> notes = new ArrayList<>();
        long forgotten = run.trailer().map(Rlog.Trailer::forgotten).orElse(0L);
        if (forgotten > 0) {
            notes.add(forgotten + " older events are not in this file; causes among them are unknown");
        }
        if (run.unknown() > 0) {
            notes.add(run.unknown() + " events of unknown kinds were skipped: a later version wrote the file");
        }
        if (run.trailer().isEmpty()) {
            notes.add("the file is truncated: later events are missing");
        }
        return notes;
    }
}
