// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.recording.Replay;

/** Effect of a playback on its surroundings. */
public sealed interface Effect {
    /**
     * A packet of the peer enters the fabric.
     *
     * @param damage xor of its ICRC and the correct one; 0 if it is correct
     * @param cause event of the packet of this side that it answers; 0 if there is none
     */
    record Enter(Packet packet, int damage, long cause) implements Effect {}

    /**
     * Nothing answers a packet of this side.
     *
     * @param cause event of its arrival; 0 if it is not traced
     */
    record Unanswered(Packet packet, String reason, long cause) implements Effect {}

    /** The playback is over. */
    record Over(Replay replay) implements Effect {}
}
