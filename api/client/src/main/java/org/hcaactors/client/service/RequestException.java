// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import org.hcaactors.api.error.Errno;

/**
 * A request has no reply.
 *
 * <p>Threads: any. Limits: none.
 */
public final class RequestException extends RuntimeException {
    /**
     * Fate of a request without a reply.
     *
     * <p>More will follow: a switch over them wants a default.
     */
    public enum Fate {
        /** It was not sent. */
        NOT_SENT,
        /** It was sent, and whether the server executed it is not known. */
        UNKNOWN,
        /** The server answered that it failed; it may have executed the request. */
        FAILED
    }

    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final Fate fate;
    private final int code;

    RequestException(Errno errno, Fate fate, int code, String what) {
        super(errno + ": " + what);
        this.errno = errno;
        this.fate = fate;
        this.code = code;
    }

    public Fate fate() {
        return fate;
    }

    /** Code of the handler's {@link ServiceException}; 0 if it has failed in another way, or has not answered. */
    public int code() {
        return code;
    }

    /**
     * ETIMEDOUT at the deadline, ECANCELED if the caller cancelled the request, or the client or its process has ended, EIO if the
     * server failed, EAGAIN if too many messages wait.
     */
    public Errno errno() {
        return errno;
    }
}
