// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.checks.SourceCode;

/** Files of the project on disk: tests, scripts and pages are not on the class path. */
record Sources(List<String> texts) {
    private static final Path ROOT = Path.of("../..");

    /** Returns a file, or all files of a folder. */
    static Sources of(String place) {
        return of(place, "");
    }

    /** Returns the files whose names end with the given regular expression. */
    static Sources of(String place, String end) {
        return read(ROOT.resolve(place), Pattern.compile(end + "$"));
    }

    private static Sources read(Path place, Pattern end) {
        try (Stream<Path> files = Files.walk(place)) {
            return new Sources(files.filter(Files::isRegularFile)
                    .filter(file -> end.matcher(file.toString()).find())
                    .map(Sources::text)
                    .toList());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What is code of them: a comment, an import or a text uses nothing. */
    Sources code() {
        return new Sources(texts.stream().map(SourceCode::of).toList());
    }

    /** One of them has something that this regular expression describes. */
    boolean mention(String words) {
        Pattern requested = Pattern.compile(words);
        return texts.stream().anyMatch(text -> requested.matcher(text).find());
    }
}
