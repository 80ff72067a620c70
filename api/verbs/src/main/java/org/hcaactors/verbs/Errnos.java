// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.PrintStream;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.RdmaException;

/**
 * Numbers that C functions return for exceptions. What is no refusal is EIO, with one line on standard error. Thread-safe.
 *
 * @param err standard error of the program
 * @param explains true if refusals are explained there, too
 */
record Errnos(PrintStream err, boolean explains) {
    /** Number of success. */
    static final int NONE = 0;

    int of(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        Errno errno = errno(cause);
        boolean isRefusal = cause instanceof RdmaException || errno != Errno.EIO;
        if (explains || !isRefusal) {
            say(words(errno, cause));
        }
        return errno.number();
    }

    private static Errno errno(Throwable cause) {
        return switch (cause) {
            case RdmaException refusal -> refusal.findErrno().orElse(Errno.EIO);
            // The values of the API check their numbers themselves.
            case IllegalArgumentException wrong -> Errno.EINVAL;
            case OutOfMemoryError full -> Errno.ENOMEM;
            default -> Errno.EIO;
        };
    }

    private static String words(Errno errno, Throwable cause) {
        return switch (cause) {
            // The message begins with the errno.
            case RdmaException refusal -> String.valueOf(refusal.getMessage());
            case IllegalArgumentException wrong -> errno + ": " + wrong.getMessage();
            default -> errno + ": " + cause + at(cause.getStackTrace());
        };
    }

    private static String at(StackTraceElement[] stack) {
        return stack.length == 0 ? "" : " at " + stack[0];
    }

    /** Writes a line for the user of the program. */
    void say(String line) {
        err.println("hca-verbs: " + line);
    }
}
