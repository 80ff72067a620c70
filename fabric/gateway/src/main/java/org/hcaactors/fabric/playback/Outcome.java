// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.List;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.recording.Difference;

/** Judgement of a recorded peer on a packet of this side. */
sealed interface Outcome {
    /** Nothing is to be repeated. */
    Outcome TAKEN = new Taken(List.of());

    /**
     * The packet is as recorded, or repeats one that is.
     *
     * @param again packets of the peer that enter once more, with this side's numbers
     */
    record Taken(List<Packet> again) implements Outcome {}

    /** The packet is another one than recorded. */
    record Refused(Difference difference) implements Outcome {}
}
