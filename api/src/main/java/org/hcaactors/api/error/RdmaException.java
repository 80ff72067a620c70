// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.util.Optional;

/**
 * A refusal: of a verb ({@link VerbsException}) or of firmware settings ({@link
 * org.hcaactors.api.firmware.FirmwareException}). What was asked for was not done. A deadline that passes is no refusal: {@link
 * AwaitTimeoutException} and {@link org.hcaactors.api.queue.DeadlineExceededException} are others.
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

    /** The errno that the library would return; empty where a tool refuses by words, as of firmware settings. */
    public abstract Optional<Errno> findErrno();
}
