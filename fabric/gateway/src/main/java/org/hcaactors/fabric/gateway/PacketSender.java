// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;

/** Sends packets by the sockets of a cable; counts them as sent or lost. Callers pass the current time. Not thread-safe. */
interface PacketSender {
    /** @throws InterruptedException while the socket's buffer is full */
    void send(Outgoing leaving, long now) throws ClosedChannelException, InterruptedException;

    /** Does what is due by now. */
    default void advance(long now) throws ClosedChannelException, InterruptedException {}

    /** Returns when {@link #advance} has to be called next, at least now; Long.MAX_VALUE for never. */
    default long nextDeadline(long now) {
        return Long.MAX_VALUE;
    }
}
