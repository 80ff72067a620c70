// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * Receives the packets and send credits of one endpoint from the fabric. Called on the fabric's thread, and also on the threads
 * of peers that use the direct path, possibly on several at the same time: an implementation must not wait; one that is no border
 * must only send a message to its actor.
 */
public interface Receiver {
    /**
     * Delivers packets for one queue pair, in order, at most {@link Switchboard#MAX_BATCH}.
     *
     * @param traceIds one event id for each packet, or an empty array if nothing is traced
     */
    void deliver(Packet[] batch, long[] traceIds);

    /**
     * Takes packets that leave the fabric, in place of {@link #deliver}; called at a border only. A border that keeps credits slows
     * the sender down to its own speed (rule wire-back-pressure).
     *
     * @param from the sender, all of the batch
     * @return number of the sender's credits that are kept: none, or one for each packet; {@link Endpoint#left} returns them
     */
    default int leave(Endpoint from, Packet[] batch, long[] traceIds) {
        deliver(batch, traceIds);
        return 0;
    }

    /** Reports a packet that arrived with a wrong ICRC and was dropped (rule wire-icrc-drop). */
    void corrupted();

    /**
     * Reports such a packet with its frame. A border carries it on as it is; others drop it.
     *
     * @param packet as it was sent
     * @param frame with the wrong ICRC, from the Ethernet header on
     */
    default void damaged(Packet packet, Octets frame) {
        corrupted();
    }

    /**
     * Returns send credits: the endpoint may send this many more packets. A negative number takes credits back, which a border keeps
     * until packets that were sent have left; then the endpoint may have fewer than none for a moment.
     */
    void credit(int packets);
}
