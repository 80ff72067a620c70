// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.nio.ByteBuffer;

/**
 * The end of a connection.
 *
 * <p>Immutable.
 *
 * @param cause reason of the end
 * @param privateData data with which the peer closed it, read-only, the end padded with zeros; empty for other causes
 */
public record ConnectionEnd(Cause cause, ByteBuffer privateData) {
    /**
     * Reason of the end of a connection.
     *
     * <p>More will follow: a switch over them wants a default.
     */
    public enum Cause {
        /** This end closed it. */
        CLOSED_HERE,
        /** The peer closed it, or its process ended. */
        CLOSED_BY_PEER,
        /** The adapter restarted, failed or was closed. */
        DEVICE_FAILED
    }

    public ConnectionEnd {
        privateData = privateData.asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer privateData() {
        return privateData.duplicate();
    }
}
