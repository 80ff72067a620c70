// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

/**
 * A failure that is an answer of a service: its handler throws it, or fails its stage with it, and the client gets code and text in a
 * {@link RequestException}. Like a reply it is kept by the {@link ReplyCache}: a copy of the request gets the same one.
 *
 * <p>Threads: any. Limits: none.
 */
public final class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * @param code of the service; any but 0, which is that of all other exceptions: then IllegalArgumentException
     * @param message for the client; at most {@link EndpointDescription#maxBodyBytes} bytes in UTF-8, the rest is cut
     */
    public ServiceException(int code, String message) {
        super(message);
        if (code == 0) {
            throw new IllegalArgumentException("the code of a failure is 0; any other one is allowed");
        }
        this.code = code;
    }

    public int code() {
        return code;
    }
}
