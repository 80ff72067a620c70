// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/** Packets for tests. */
final class Packets {
    static final Route WAY = new Route(address(1), address(2), 0x20, 63, 7, 0xC123);

    private Packets() {}

    static PortAddress address(int last) {
        return new PortAddress(0xFD68_6361_0000_0000L, last);
    }

    static Packet send(Route route, int qp, int psn, int bytes) {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) psn);
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, bytes, Bth.DEFAULT_PKEY, qp, true, psn);
        return new Packet(route, bth, List.of(), Octets.wrap(payload, 0, bytes));
    }

    static Carried carried(int psn) {
        return new Carried(send(WAY, 0x11, psn, 64), Optional.empty());
    }

    /** A packet to the group {@code ff0e::1}. */
    static Carried toGroup(int psn) {
        Route way = new Route(WAY.source(), new PortAddress(0xFF0E_0000_0000_0000L, 1), 0x20, 63, 7, 0xC123);
        return new Carried(send(way, 0xFF_FFFF, psn, 64), Optional.empty());
    }

    static List<Carried> carried(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(Packets::carried).toList();
    }

    static Outgoing outgoing(int psn, int bytes) {
        return new Outgoing(
                new Carried(send(WAY, 0x11, psn, bytes), Optional.empty()), OptionalLong.empty(), Optional.empty());
    }
}
