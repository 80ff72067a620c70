// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.invariant.QpName;

/** What has PSNs of its own: a queue pair, or one channel of an initiator over DC with streams (rule dc-streams). */
record PacketLine(QpName qp, int channel) {
    /** The line of that queue pair's packet, a request or what answers it. */
    static PacketLine of(QpName qp, Packet packet) {
        boolean dynamic = packet.opcode().transport() == TransportClass.DC;
        return new PacketLine(qp, dynamic ? packet.dcEth().channel() : 0);
    }

    @Override
    public String toString() {
        return channel == 0 ? qp.toString() : qp + " on channel " + channel;
    }
}
