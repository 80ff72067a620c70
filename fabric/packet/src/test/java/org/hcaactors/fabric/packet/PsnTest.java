// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsnTest {
    // rule wire-psn
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "1, 0, 1",
        "0, 1, -1",
        "0, 0xFFFFFF, 1",
        "0xFFFFFF, 0, -1",
        "0x7FFFFF, 0, 8388607",
        "0x800000, 0, -8388608",
        "5, 0xFFFFF0, 21"
    })
    void comparisonIsSerialArithmeticOn24Bits(String a, String b, int distance) {
        assertThat(Psn.compare(Integer.decode(a), Integer.decode(b))).isEqualTo(distance);
    }

    // rule wire-psn
    @Test
    void additionWraps() {
        assertThat(Psn.plus(0xFFFFFF, 1)).isZero();
        assertThat(Psn.plus(0xFFFFFE, 5)).isEqualTo(3);
    }

    // rule wire-psn-per-packet
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1024, 1", "1025, 2", "2147483648, 2097152"})
    void aMessageTakesAtLeastOnePacket(long bytes, int packets) {
        assertThat(Psn.packets(bytes, 1024)).isEqualTo(packets);
    }

    // rule wire-source-port
    @ParameterizedTest
    @CsvSource({"0, 0xC000", "0x12345, 0xE341", "0xFFFFF, 0xFFC0"})
    void theUdpSourcePortFoldsTheFlowLabel(String label, String port) {
        assertThat(Route.udpSourcePort(Integer.decode(label))).isEqualTo(Integer.decode(port));
    }

    // rule wire-source-port
    @Test
    void theFlowLabelOfAConnectionIsTheSameFromBothEnds() {
        assertThat(Route.flowLabel(0x11, 0x12)).isEqualTo(0x00132).isEqualTo(Route.flowLabel(0x12, 0x11));
        assertThat(Route.flowLabel(0x123456, 0xABCDEF)).isEqualTo(0xAC3E3);
    }

    // rule wire-rnr-timer
    @ParameterizedTest
    @CsvSource({"0, 655360000", "1, 10000", "12, 640000", "25, 61440000", "31, 491520000"})
    void rnrTimerCodesAreThoseOfTheStandard(int code, long nanos) {
        assertThat(Syndrome.rnrNanos(Syndrome.rnr(code))).isEqualTo(nanos);
    }
}
