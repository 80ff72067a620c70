// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** What happens to a packet between two ports. */
public sealed interface FabricEvent extends TraceEvent {
    /** Name of the port at which it happened. */
    String port();

    Packet packet();

    /**
     * A queue pair, {@code element}, handed the packet to its port. The first cause is the posting of its request, or the arrival that it
     * answers; the second, of a packet that is sent again, the event that made its sender go back.
     */
    record Sent(Stamp stamp, String port, Element element, Packet packet) implements FabricEvent {}

    /** The packet reached the queue pair it is for; the first cause is the event that sent it. */
    record Delivered(Stamp stamp, String port, Packet packet) implements FabricEvent {}

    /** @param reason why, in words */
    record Dropped(Stamp stamp, String port, Packet packet, String reason) implements FabricEvent {}

    /**
     * The packet reached the port of its queue pair with a wrong ICRC and was dropped there.
     *
     * @param packet as it was sent
     * @param frame as it arrived, from the Ethernet header on
     * @param by the interceptor's rule that flipped a bit of it; empty if it came in so
     */
    record Corrupted(Stamp stamp, String port, Packet packet, Octets frame, String what, Optional<String> by)
            implements FabricEvent {}

    /** An interceptor did something other than pass or drop. */
    record Disturbed(Stamp stamp, String port, Packet packet, How how, String what) implements FabricEvent {
        /** What was done. */
        public enum How {
            DELAYED,
            DUPLICATED,
            /** Put behind later packets. */
            REORDERED,
            /** Another packet travels in its place, {@code packet}. */
            REPLACED
        }
    }

    /**
     * A frame that nobody sent came in. It has no first cause; the second is the sending of the packet beside which it came.
     * What becomes of it has this event as its cause.
     *
     * @param packet what the frame says; if it says nothing, the packet beside which it came
     * @param frame from the Ethernet header on
     */
    record Forged(Stamp stamp, String port, Packet packet, Octets frame, String what) implements FabricEvent {}
}
