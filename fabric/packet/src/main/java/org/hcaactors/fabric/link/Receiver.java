// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/**
 * Where the fabric delivers. Called on the fabric's thread, and on those of its peers that take the direct way, which may be
 * several at once: an implementation does no more than tell its actor.
 */
public interface Receiver {
    /**
     * Packets for one queue pair, in order, at most {@link Switchboard#MAX_TRAIN}.
     *
     * @param traceIds one event id for each packet, or an empty array where nothing is traced
     */
    void arrive(Packet[] batch, long[] traceIds);

    /** A packet came in with a wrong ICRC and was dropped (rule wire-icrc-drop). */
    void corrupted();

    /** As many more packets may be sent. */
    void credit(int packets);
}
