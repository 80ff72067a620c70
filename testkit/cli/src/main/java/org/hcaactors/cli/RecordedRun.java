// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogFormatException;
import org.hcaactors.views.rlog.RlogReader;

/** The file that a command looks at. */
final class RecordedRun {
    private RecordedRun() {}

    static Rlog read(Path file) throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            return RlogReader.read(file);
        } catch (RlogFormatException wrong) {
            throw new BadInputException(file + ": " + wrong.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    /** What a reader of anything made of it should know, a line each. */
    static List<String> notes(Rlog run) {
        List<String> notes = new ArrayList<>();
        long forgotten = run.trailer().map(Rlog.Trailer::forgotten).orElse(0L);
        if (forgotten > 0) {
            notes.add(forgotten + " older events are not in this file; causes among them are unknown");
        }
        if (run.unknown() > 0) {
            notes.add(run.unknown()
                    + " events were skipped: a later version wrote them, which has kinds that this one does not");
        }
        if (run.trailer().isEmpty()) {
            notes.add("the file breaks off: what came after is unknown");
        }
        return notes;
    }
}
