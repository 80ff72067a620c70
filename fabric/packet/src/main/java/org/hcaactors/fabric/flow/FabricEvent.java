// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** An event of a packet between two ports. */
public sealed interface FabricEvent extends TraceEvent {
    Packet packet();

    /**
     * The queue pair {@code element} handed the packet to its port. The first cause is the posting of its request, or the
     * arrival that it answers. The second cause, for a retransmitted packet, is the event that started the retransmission.
     */
    record Sent(Stamp stamp, String port, Element element, Packet packet) implements FabricEvent {}

    /** The packet reached its queue pair. The first cause is the event that sent it. */
    record Delivered(Stamp stamp, String port, Packet packet) implements FabricEvent {}

    /**
     * The packet was dropped.
     *
     * @param reason as text
     */
    record Dropped(Stamp stamp, String port, Packet packet, String reason) implements FabricEvent {}

    /**
     * The packet reached the port of its queue pair with a wrong ICRC and was dropped there, or reached a border and left the
     * fabric as it was.
     *
     * @param packet as it was sent
     * @param frame as it arrived, from the Ethernet header on
     * @param by rule of the interceptor that flipped a bit; empty if the frame had the wrong ICRC from the start
     */
    record Corrupted(Stamp stamp, String port, Packet packet, Octets frame, String what, Optional<String> by)
            implements FabricEvent {}

    /** An interceptor neither passed nor dropped the packet. */
    record Disturbed(Stamp stamp, String port, Packet packet, How how, String what) implements FabricEvent {
        /** The effect of the interceptor. */
        public enum How {
            DELAYED,
            DUPLICATED,
            /** Delivered after later packets. */
            REORDERED,
            /** Replaced by another packet, {@code packet}. */
            REPLACED
        }
    }

    /**
     * A forged frame entered the fabric. It has no first cause; the second is the sending of the packet next to which it
     * entered. Events that follow from the frame have this event as their cause.
     *
     * @param packet contents of the frame; if it cannot be decoded, the packet next to which it entered
     * @param frame from the Ethernet header on
     */
    record Forged(Stamp stamp, String port, Packet packet, Octets frame, String what) implements FabricEvent {}
}
