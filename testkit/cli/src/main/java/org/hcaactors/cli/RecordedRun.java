package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hcaactors.lab.rlog.Rlog;
import org.hcaactors.lab.rlog.RlogFormatException;
import org.hcaactors.lab.rlog.RlogReader;

/** The file that a command looks at. */
final class RecordedRun {
    private RecordedRun() {}

    static Rlog read(Path file) throws BadInputException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new BadInputException("can't read " + file);
        }
        try {
            return RlogReader.read(file);
        } catch (RlogFormatException wrong) {
            throw new BadInputException(file + ": " + wrong.getMessage());
        } catch (IOException unreadable) {
            throw new BadInputException("can't read " + file + ": " + unreadable.getMessage());
        }
    }
}
