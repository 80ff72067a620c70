// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Path;
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
}
