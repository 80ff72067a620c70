// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.util.Optional;

/** State of a recorded peer: how far it has come. More may follow: a switch over them wants a default. */
public sealed interface Replay {
    /** Returns what was counted until now. */
    Counts counts();

    /**
     * Numbers of packets.
     *
     * @param entered packets of the peer that entered the fabric as recorded
     * @param repeated packets of the peer that entered again, because they or the answers to them were lost
     * @param taken packets of this side
     * @param beyond packets of this side that are no repetitions, after the end of the recording; nothing answers them
     */
    record Counts(int entered, int repeated, int taken, int beyond) {
        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0);
    }

    /**
     * The peer has more to send, or waits for a packet of this side.
     *
     * @param awaited recorded packet of this side that it waits for
     */
    record Playing(Counts counts, Optional<RecordedPacket> awaited) implements Replay {}

    /** All packets of the peer entered, and all recorded packets of this side came. */
    record Complete(Counts counts) implements Replay {}

    /** This side did otherwise than recorded; no further packet enters. */
    record Stopped(Counts counts, Difference difference) implements Replay {}
}
