// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import org.hcaactors.fabric.packet.Packet;

/** Result of decoding the contents of a UDP datagram. Decoding never throws because of its input. */
public sealed interface DecodedDatagram {
    /** A packet and the result of the check of its ICRC. */
    record Whole(Packet packet, IcrcCheck icrc) implements DecodedDatagram {}

    /** A datagram that is no packet. */
    record Invalid(Decoded.Malformed defect) implements DecodedDatagram {}
}
