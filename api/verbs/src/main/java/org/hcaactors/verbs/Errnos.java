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

    /**
     * Why a call is refused.
     *
     * @param reason a sentence without the errno
     */
    record Refusal(Errno errno, String reason) {}

    int of(Throwable thrown) {
        return refusal(thrown).errno.number();
    }

    Refusal refusal(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        Errno errno = errno(cause);
        boolean isRefusal = cause instanceof RdmaException || errno != Errno.EIO;
        if (explains || !isRefusal) {
            say(errno + ": " + reason(errno, cause));
        }
        return new Refusal(errno, reason(errno, cause));
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

    private static String reason(Errno errno, Throwable cause) {
        return switch (cause) {
            case RdmaException refusal -> withoutErrno(errno, String.valueOf(refusal.getMessage()));
            case IllegalArgumentException wrong -> String.valueOf(wrong.getMessage());
            default -> cause + at(cause.getStackTrace());
        };
    }

    private static String withoutErrno(Errno errno, String message) {
        String prefix = errno + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    private static String at(StackTraceElement[] stack) {
        return stack.length == 0 ? "" : " at " + stack[0];
    }

    /** Writes a line for the user of the program. */
    void say(String line) {
        err.println("hca-verbs: " + line);
    }
}
