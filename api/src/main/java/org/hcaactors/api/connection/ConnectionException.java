// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.RdmaException;

/**
 * A connection was not made: ECONNREFUSED if the peer rejected it, ETIMEDOUT if it did not answer, ECANCELED if one of the ends was
 * closed meanwhile, EHOSTUNREACH for an unknown name, EADDRNOTAVAIL without an address of the IP version.
 *
 * <p>Threads: any. Limits: none.
 */
public final class ConnectionException extends RdmaException {
    /** Reason of a rejection: the peer has as many connections as it can. */
    public static final int NO_RESOURCES = 3;

    /** Reason of a rejection: an answer of this end did not arrive at the peer in time. */
    public static final int TIMEOUT = 4;

    /** Reason of a rejection: the peer does not know the connection. */
    public static final int INVALID_COMM_ID = 6;

    /** Reason of a rejection: nothing listens at the port. */
    public static final int INVALID_SERVICE_ID = 8;

    /** Reason of a rejection: the peer still has an earlier connection with this queue pair. */
    public static final int STALE_CONNECTION = 10;

    /** Reason of a rejection: the peer's program rejected it, stopped listening, or closed its end. */
    public static final int CONSUMER_DEFINED = 28;

    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final int reason;
    private final byte[] privateData;

    private ConnectionException(Errno errno, int reason, byte[] privateData, String what) {
        super(errno + ": " + what);
        this.errno = errno;
        this.reason = reason;
        this.privateData = privateData;
    }

    /** Creates the exception for a connection that failed without a rejection. */
    public static ConnectionException failed(Errno errno, String what) {
        return new ConnectionException(errno, 0, new byte[0], what);
    }

    /** @param reason code of the specification (IBA 12.6.7.2), more than 0 */
    public static ConnectionException rejected(int reason, ByteBuffer privateData, String what) {
        byte[] copy = new byte[privateData.remaining()];
        privateData.get(privateData.position(), copy);
        return new ConnectionException(Errno.ECONNREFUSED, reason, copy, what);
    }

    /** Reason of the peer's rejection, a code of the specification (IBA 12.6.7.2); empty if no peer rejected. */
    public OptionalInt reason() {
        return reason == 0 ? OptionalInt.empty() : OptionalInt.of(reason);
    }

    /** Data of the peer's rejection, read-only; the end may be padding with zeros; empty without a rejection. */
    public ByteBuffer privateData() {
        return ByteBuffer.wrap(privateData).asReadOnlyBuffer();
    }

    @Override
    public Optional<Errno> findErrno() {
        return Optional.of(errno);
    }
}
