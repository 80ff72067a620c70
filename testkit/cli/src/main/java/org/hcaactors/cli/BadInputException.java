// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The user's input cannot be used; the message says why in one line. */
final class BadInputException extends Exception {
    private static final long serialVersionUID = 1L;

    BadInputException(String what) {
        super(what);
    }

    /** Checks that the file can be read. */
    static void unlessReadable(Path file) throws BadInputException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new BadInputException("cannot read " + file);
        }
    }

    static BadInputException unreadable(Path file, IOException reason) {
        return new BadInputException("cannot read " + file + ": " + reason.getMessage());
    }

    static BadInputException unwritable(Path folder, IOException reason) {
        return new BadInputException("cannot write to " + folder + ": " + words(reason));
    }

    /** Java's message for these is the name of the file, without a reason. */
    private static @Nullable String words(IOException reason) {
        return switch (reason) {
            case NoSuchFileException missing -> "its folder does not exist";
            case AccessDeniedException denied -> "permission denied";
            case FileAlreadyExistsException other -> "it exists, and is no folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> reason.getMessage();
        };
    }
}
