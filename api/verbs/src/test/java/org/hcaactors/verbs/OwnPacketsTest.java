// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.address.Gid;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;

class OwnPacketsTest {
    private static final Verdict DROPPED = new Verdict.Drop("all");

    private final List<PacketInTransit> judged = new ArrayList<>();
    private final OwnPackets own =
            new OwnPackets("a", Map.of(Settings.loopback(3), "b", Settings.loopback(4), "c"), transit -> {
                judged.add(transit);
                return DROPPED;
            });

    private static PacketInTransit packet(String from, int toHost) {
        Gid gid = Gid.of(Settings.loopback(toHost));
        Route route = new Route(PortAddress.ofIpv4(1), new PortAddress(gid.high(), gid.low()), 0, 64, 0, 0xC000);
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 0x12, true, 7);
        return new PacketInTransit(from, 0x11, "cable", new Packet(route, bth, List.of(), Octets.NONE), 0);
    }

    @Test
    void packetsOfOthersPass() {
        assertThat(own.judge(packet("cable", 2))).isEqualTo(Verdict.PASS);
        assertThat(judged).isEmpty();
    }

    @Test
    void aFaultSeesTheNameOfThePeer() {
        assertThat(own.judge(packet("a", 4))).isEqualTo(DROPPED);
        assertThat(judged)
                .singleElement()
                .satisfies(transit -> assertThat(transit.toPort()).isEqualTo("c"));
    }

    @Test
    void anUnknownPeerKeepsTheNameOfThePort() {
        own.judge(packet("a", 9));

        assertThat(judged)
                .singleElement()
                .satisfies(transit -> assertThat(transit.toPort()).isEqualTo("cable"));
    }
}
