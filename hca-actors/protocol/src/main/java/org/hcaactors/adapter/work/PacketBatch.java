// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;

/** Packets that came in together, oldest first, while a queue pair handles one after the other. */
public final class PacketBatch {
    private final Packet[] packets;
    private final long[] events;
    private int taken;

    /** @param events of their arrival; none where nothing is traced */
    public PacketBatch(Packet[] packets, long[] events) {
        this.packets = packets;
        this.events = events;
    }

    public boolean isOver() {
        return taken == packets.length;
    }

    /** The next one, which the turn handles from now on. */
    public Packet take(Turn turn) {
        turn.handles(taken < events.length ? events[taken] : 0);
        return packets[taken++];
    }

    /** The one that was taken last; only if one was. */
    public Packet last() {
        return packets[taken - 1];
    }

    /** There is one more, and all that it has of its own against the last one is its place and what it brings. */
    public boolean continuesAlike() {
        return !isOver() && areAlike(last(), packets[taken]);
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
