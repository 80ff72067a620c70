// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.util.Optional;

/**
 * A refusal: of a verb ({@link VerbsException}) or of firmware settings ({@link
 * org.hcaactors.api.firmware.FirmwareException}). The operation was not executed. {@link AwaitTimeoutException} and {@link
 * org.hcaactors.api.queue.DeadlineExceededException} are not refusals and not subclasses.
 *
 * <p>Threads: any. Limits: none.
 */
public abstract class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected RdmaException(String what) {
        super(what);
    }

    protected RdmaException(String what, Throwable cause) {
        super(what, cause);
    }

    /** Errno that the C library would return; empty if a command-line tool would print a message, as for firmware settings. */
    public abstract Optional<Errno> findErrno();
}
