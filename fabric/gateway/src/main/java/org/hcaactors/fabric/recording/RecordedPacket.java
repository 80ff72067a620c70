// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import org.hcaactors.fabric.packet.Packet;

/**
 * A packet of a recording.
 *
 * @param frame number of its frame in the capture, from 1
 * @param nanos time since the first frame of the capture
 * @param ofPeer the peer sent it; otherwise this side did
 * @param damage xor of its ICRC and the correct one; 0 if it is correct
 */
public record RecordedPacket(int frame, long nanos, boolean ofPeer, Packet packet, int damage) {
    /** True if its ICRC is wrong: its receiver dropped it. */
    public boolean isDamaged() {
        return damage != 0;
    }

    /** Returns the frame and the packet, for example {@code frame 4, RC SEND_ONLY psn 499910 16 B to qp 40}. */
    @Override
    public String toString() {
        return "frame " + frame + ", " + PacketText.of(packet);
    }
}
