// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedPacket;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contents of recorded cables: captures of Soft-RoCE, whose programs printed their numbers. */
class RecordedCableTest {
    private static final Path CAPTURES = Path.of("../packet/src/test/resources/captures");
    private static final String SERVER = "10.77.0.2";
    private static final String CLIENT = "10.77.0.3";

    private static InetAddress address(String digits) {
        try {
            return InetAddress.getByName(digits);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static RecordedCable capture(String name, String peer) {
        return Cable.recorded(CAPTURES.resolve(name), address(peer));
    }

    @Test
    void aConnectionHasTheNumbersThatItsProgramsPrinted() {
        RecordedCable cable = capture("op_atomics.pcap", SERVER);
        assertThat(cable.addresses()).containsExactly(address(CLIENT));
        assertThat(cable.queuePairs()).singleElement().satisfies(ends -> {
            assertThat(ends.transport()).isEqualTo(TransportClass.RC);
            assertThat(ends.address()).isEqualTo(address(CLIENT));
            assertThat(ends.number()).isEqualTo(0x37);
            assertThat(ends.firstPsn()).isEqualTo(0xc10000);
            assertThat(ends.peerNumber()).isEqualTo(0x36);
            assertThat(ends.memory()).isEmpty();
            assertThat(ends.peerMemory()).containsExactly(new RecordedMemory(0x289f, 0x7fb9b43bf000L, 8));
        });
    }

    @Test
    void theOtherEndHasThemTheOtherWayRound() {
        RecordedQueuePair ends = capture("op_atomics.pcap", CLIENT).queuePairs().getFirst();
        assertThat(ends.number()).isEqualTo(0x36);
        assertThat(ends.peerNumber()).isEqualTo(0x37);
        assertThat(ends.peerFirstPsn()).isEqualTo(0xc10000);
        assertThat(ends.memory()).hasSize(1);
    }

    // rule cm-terms
    @Test
    void messagesOfManagementTellTheFirstPsnOfTheirReceivers() {
        RecordedQueuePair ends = capture("rping.pcap", SERVER).queuePairs().getFirst();
        assertThat(ends.firstPsn()).isEqualTo(499_910);
        assertThat(ends.peerFirstPsn()).isEqualTo(12_714_235);
        assertThat(ends.memory()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"rping, 1024", "rc_pingpong_mtu256, 256", "rc_pingpong, 1024", "ud_pingpong, 1024", "op_atomics, 1024"})
    void thePathMtuIsThatOfThePackets(String name, int bytes) {
        assertThat(capture(name + ".pcap", SERVER).pathMtuBytes()).isEqualTo(bytes);
    }

    @Test
    void severalConnectionsArePaired() {
        assertThat(capture("srq_pingpong.pcap", SERVER).queuePairs())
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(ends -> {
                    assertThat(ends.number()).isNotZero();
                    assertThat(ends.peerNumber()).isNotZero();
                });
    }

    @Test
    void damagedPacketsAreKnown() {
        assertThat(capture("netem_corrupt_send.pcap", CLIENT).recording().packets().stream()
                        .filter(RecordedPacket::isDamaged))
                .hasSize(23);
    }

    @Test
    void aFileThatDoesNotExistIsRefused() {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> capture("none.pcap", SERVER))
                .withMessageStartingWith("none.pcap can't be played: ");
    }

    @Test
    void timesAreBounded() {
        RecordedCable cable = capture("rping.pcap", SERVER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cable.withPatience(RecordedCable.MAX_TIME.plusNanos(1)))
                .withMessage("the patience is PT24H0.000000001S; 0 to PT24H is allowed");
        assertThatIllegalArgumentException().isThrownBy(() -> cable.withLongestGap(Duration.ofNanos(-1)));
        assertThat(cable).hasToString("rping.pcap, peer 10.77.0.2");
    }
}
