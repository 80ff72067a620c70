// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.util.Optional;

/**
 * A verb's refusal: the errno that libibverbs would return, what was wrong and what is allowed.
 *
 * <p>Thrown by {@code post} in the caller's thread; verbs that answer with a stage complete it exceptionally with one.
 * What goes wrong after a request was accepted is a completion, never an exception.
 *
 * <p>Threads: any. Limits: none.
 */
public final class VerbsException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    public VerbsException(Errno errno, String what) {
        super(errno + ": " + what);
        this.errno = errno;
    }

    /** A refusal for which something else is to blame. */
    public VerbsException(Errno errno, String what, Throwable cause) {
        super(errno + ": " + what, cause);
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }

    @Override
    public Optional<Errno> findErrno() {
        return Optional.of(errno);
    }

    public static VerbsException invalid(String what) {
        return new VerbsException(Errno.EINVAL, what);
    }
}
