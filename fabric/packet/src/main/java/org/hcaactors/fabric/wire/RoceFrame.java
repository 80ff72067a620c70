// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * A RoCE packet with everything around it that a wire shows.
 *
 * @param link the link layer header: 14 bytes of Ethernet, 18 with a VLAN tag, none for raw IP; in a capture whatever stands before the IP header
 * @param ip beyond the route
 * @param udpLength 16 bits as on the wire; the IP length decides, this one is only covered by the ICRC; 0 behind a GRH
 * @param udpChecksum 16 bits; 0 is "none", as RoCE senders do, and behind a GRH
 * @param packet route, transport headers, payload
 * @param pad as on the wire; senders put zeros
 * @param icrc the four ICRC bytes, first on the wire in the high byte
 * @param icrcOk the ICRC fits the frame
 * @param trailer bytes after the IP packet, as short Ethernet frames carry them
 */
public record RoceFrame(
        Octets link,
        IpHeader ip,
        int udpLength,
        int udpChecksum,
        Packet packet,
        Octets pad,
        int icrc,
        boolean icrcOk,
        Octets trailer) {}
