// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;

/**
 * Sends packets by the sockets of a cable; counts them as sent or lost. Never waits. Callers pass the current time. Not thread-safe.
 */
interface PacketSender {
    /** Returns the socket whose buffer is full, if that is why the packet has to be sent again later. */
    Optional<DatagramChannel> send(Outgoing leaving, long now) throws ClosedChannelException;

    /** Does what is due by now. */
    default void advance(long now) throws ClosedChannelException {}

    /** Returns when {@link #advance} has to be called next, at least now; Long.MAX_VALUE for never. */
    default long nextDeadline(long now) {
        return Long.MAX_VALUE;
    }
}
