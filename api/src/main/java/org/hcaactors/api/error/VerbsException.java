// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.util.Optional;

/**
 * A verb's failure: the errno that libibverbs would return, what was wrong, and what is allowed.
 *
 * <p>{@code post} throws it in the caller's thread; a verb that returns a stage completes the stage exceptionally with it. An
 * error after a request was accepted is reported as a completion, never as an exception.
 *
 * <p>Threads: any. Limits: none.
 */
public sealed class VerbsException extends RdmaException permits PostRefusedException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final String what;

    public VerbsException(Errno errno, String what) {
        super(errno + ": " + what);
        this.errno = errno;
        this.what = what;
    }

    /** A failure with another exception as its cause. */
    public VerbsException(Errno errno, String what, Throwable cause) {
        super(errno + ": " + what, cause);
        this.errno = errno;
        this.what = what;
    }

    public Errno errno() {
        return errno;
    }

    /** The message without the errno. */
    final String what() {
        return what;
    }

    @Override
    public Optional<Errno> findErrno() {
        return Optional.of(errno);
    }

    public static VerbsException invalid(String what) {
        return new VerbsException(Errno.EINVAL, what);
    }
}
