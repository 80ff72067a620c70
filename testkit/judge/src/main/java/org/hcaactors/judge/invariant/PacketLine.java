// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.invariant.QpName;

/** Unit with PSNs of its own: a queue pair, or one channel of a DC initiator with streams (rule dc-streams). */
record PacketLine(QpName qp, int channel) {
    /** Returns the line of a packet, a request or its answer, of the given queue pair. */
    static PacketLine of(QpName qp, Packet packet) {
        boolean dynamic = packet.opcode().transport() == TransportClass.DC;
        return new PacketLine(qp, dynamic ? packet.dcEth().channel() : 0);
    }

    @Override
    public String toString() {
        return channel == 0 ? qp.toString() : qp + " on channel " + channel;
    }
}
