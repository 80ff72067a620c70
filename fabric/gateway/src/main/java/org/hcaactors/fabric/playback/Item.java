// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.recording.RecordedPacket;

/** A recorded packet, and whether it has passed. */
final class Item {
    final RecordedPacket recorded;
    /** Position in the recording. */
    final int index;
    /** This side need not send it: it repeats another one. */
    boolean optional;
    /** It entered the fabric, or came from there. */
    boolean passed;

    Item(RecordedPacket recorded, int index) {
        this.recorded = recorded;
        this.index = index;
    }

    Packet packet() {
        return recorded.packet();
    }
}
