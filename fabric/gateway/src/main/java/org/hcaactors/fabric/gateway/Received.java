// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** Result of receiving a datagram. */
sealed interface Received {
    /** A packet for the fabric. */
    record Whole(Packet packet) implements Received {}

    /** A packet with a wrong ICRC, for the fabric. */
    record Damaged(Packet packet, Octets frame) implements Received {}

    /** A datagram that ends here. */
    record Refused(CableCounter reason) implements Received {}
}
