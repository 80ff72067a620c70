// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.List;
import org.hcaactors.fabric.packet.Packet;

/** Packets of a recording that belong together: of a connection, of datagrams, or of communication management. */
interface Conversation {
    /** Takes a recorded packet of this side; called in the order of the recording, before anything else. */
    void addOwn(Item item);

    /** Takes a recorded packet of the peer; called in the order of the recording, before anything else. */
    void addOfPeer(Item item);

    /** Judges a packet of this side. */
    Outcome arrived(Packet packet);

    /** True if this side has sent what that recorded packet of it says. */
    default boolean isSatisfied(Item own) {
        return own.passed;
    }

    /** True if that recorded packet of this side depends on times and losses: another run may do without. */
    default boolean isAvoidable(Item own) {
        return false;
    }

    /** True if that packet of the peer comes only after that one of this side, which was recorded before it. */
    default boolean needs(Item ofPeer, Item own) {
        return true;
    }

    /** True if this side has sent what that packet of the peer answers. */
    default boolean isReady(Item ofPeer) {
        return true;
    }

    /** Returns a packet of the peer with the numbers of this side. */
    Packet translated(Packet recorded);

    /** Notes that a packet of the peer enters. */
    default void entered(Item ofPeer) {}

    /** Returns the packets of the peer that a missing packet of this side answers, with the numbers of this side. */
    List<Packet> unanswered(Item missing);
}
