// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;

/** The faults of a plan on the packets of a network that is no world. */
class PacketFaultsTest {
    private static final long EPOCH = 1L << 50;

    private static PacketInTransit packet(String from, long nanos) {
        Route route = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, false, 64, 0xFFFF, 0x12, true, 7);
        return new PacketInTransit(
                from,
                0x11,
                "other",
                new Packet(route, bth, List.of(), Octets.wrap(new byte[64], 0, 64)),
                EPOCH + nanos);
    }

    private static PacketFaults of(String faults, long seed) {
        return new PacketFaults(FaultPlan.parse("faults = [ " + faults + " ]"), seed);
    }

    private static long dropped(PacketFaults faults, String from, int packets) {
        return IntStream.range(0, packets)
                .filter(i -> faults.judge(packet(from, i)) instanceof Verdict.Drop)
                .count();
    }

    @Test
    void packetsOfEachDirectionHaveTheirOwnFaults() {
        PacketFaults faults = of("{ drop { from = hca, every = 5 } }, { drop { from = cable, every = 10 } }", 0);
        assertThat(dropped(faults, "hca", 100)).isEqualTo(20);
        assertThat(dropped(faults, "cable", 100)).isEqualTo(10);
        assertThat(faults.struck()).extracting(PacketFaults.Struck::times).containsExactly(20L, 10L);
    }

    @Test
    void wordsOfAReorderingCanChangeItsDrawsStayTheSame() {
        PacketFaults faults = of("{ reorder { behind = 1, at-most = 1ms, probability = 0.02 } }", 7);
        long first = IntStream.range(0, 1_000)
                .filter(i -> faults.judge(packet("hca", i)) instanceof Verdict.Reorder)
                .findFirst()
                .orElseThrow();
        assertThat(faults.struck())
                .extracting(PacketFaults.Struck::words)
                .containsExactly("reorder (behind 1 later) packets with probability 0.02");
        assertThat(first).isEqualTo(76);
    }

    @Test
    void theFirstFaultThatFiresDecides() {
        PacketFaults faults = of("{ delay { by = 1us, nth = 2 } }, { drop { first = 3 } }", 0);
        assertThat(faults.judge(packet("hca", 0))).isInstanceOf(Verdict.Drop.class);
        assertThat(faults.judge(packet("hca", 1))).isInstanceOf(Verdict.Delay.class);
        assertThat(faults.judge(packet("hca", 2))).isInstanceOf(Verdict.Drop.class);
        assertThat(faults.judge(packet("hca", 3))).isEqualTo(Verdict.PASS);
        assertThat(faults.struck()).extracting(PacketFaults.Struck::times).containsExactly(1L, 2L);
    }

    @Test
    void momentsCountFromTheFirstPacket() {
        PacketFaults faults = of("{ drop { from-time = 10us, until-time = 20us } }", 0);
        assertThat(LongStream.of(0, 9_999, 10_000, 19_999, 20_000)
                        .filter(nanos -> faults.judge(packet("hca", nanos)) instanceof Verdict.Drop))
                .containsExactly(10_000L, 19_999L);
    }

    @Test
    void theSeedDecidesAboutProbabilities() {
        long one = dropped(of("{ drop { probability = 0.3 } }", 1), "hca", 1000);
        assertThat(one).isBetween(200L, 400L);
        assertThat(dropped(of("{ drop { probability = 0.3 } }", 1), "hca", 1000))
                .isEqualTo(one);
        assertThat(dropped(of("{ drop { probability = 0.3 } }", 2), "hca", 1000))
                .isNotEqualTo(one);
    }

    @Test
    void aFaultOfAWorldIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("{ unplug { at = 0, adapter = hca, for = ever } }", 0))
                .withMessageStartingWith(
                        "\"unplug hca at 0 ns\" requires a world; outside of one there are faults on packets");
    }
}
