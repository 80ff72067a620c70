// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;

/** Packets that arrived together, oldest first, which a queue pair handles one after the other. */
public final class PacketBatch {
    private final Packet[] packets;
    private final long[] events;
    private int consumed;

    /** @param events events of their arrival; empty if nothing is traced */
    public PacketBatch(Packet[] packets, long[] events) {
        this.packets = packets;
        this.events = events;
    }

    public boolean isConsumed() {
        return consumed == packets.length;
    }

    /** Takes the next packet, which the turn handles from now on. */
    public Packet take(Turn turn) {
        turn.handles(consumed < events.length ? events[consumed] : 0);
        return packets[consumed++];
    }

    /** Returns the packet that was taken last; call it only after {@link #take}. */
    public Packet last() {
        return packets[consumed - 1];
    }

    /** True if there is another packet that differs from the last one only in PSN and payload. */
    public boolean continuesAlike() {
        return !isConsumed() && areAlike(last(), packets[consumed]);
    }

    private static boolean areAlike(Packet one, Packet other) {
        Bth first = one.bth();
        Bth second = other.bth();
        return first.opcode() == second.opcode()
                && first.pkey() == second.pkey()
                && first.transportVersion() == second.transportVersion()
                && one.route().equals(other.route())
                && one.extended().equals(other.extended());
    }
}
