// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * A RoCE packet with everything around it on the wire.
 *
 * @param link the link layer header: 14 bytes of Ethernet, 18 with a VLAN tag, none for raw IP; in a capture everything before
 *     the IP header
 * @param ip fields besides the route
 * @param udpLength 16 bits as on the wire; the IP length is decisive, this one is only covered by the ICRC; 0 behind a GRH
 * @param udpChecksum 16 bits; 0 for "no checksum", as RoCE senders use it, and behind a GRH
 * @param packet route, transport headers, payload
 * @param pad as on the wire; senders write zeros
 * @param icrc the four ICRC bytes, first on the wire in the high byte
 * @param icrcOk the ICRC is correct
 * @param trailer bytes after the IP packet, as in short Ethernet frames
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
