// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A port's tables as its queue pairs look them up. */
class LocalPortTest {
    private static final Gid V4 = Gid.ofIpv4(10, 0, 0, 1);
    private static final Gid V6 = new Gid(0x2001_0DB8_0000_0000L, 1);

    private final LocalPort port = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withGidTableLength(4)
                    .withPkeyTableLength(4))
            .withGidTable(List.of(V4, V6))
            .withPkeyTable(List.of(0xFFFF, 0x8001)));

    // rule wire-port-mtu
    @ParameterizedTest(name = "IP packets of {0} bytes, at most {1}: {2}")
    @CsvSource({
        "1500, BYTES_4096, BYTES_1024",
        "4200, BYTES_4096, BYTES_4096",
        "4192, BYTES_4096, BYTES_4096",
        "4191, BYTES_4096, BYTES_2048",
        "9000, BYTES_2048, BYTES_2048",
        "9000, BYTES_256, BYTES_256",
        "100, BYTES_4096, BYTES_256"
    })
    void theMtuIsTheLargestWithWhichEveryPacketPassesTheLink(int bytes, PathMtu max, PathMtu expected) {
        assertThat(LocalPort.mtuOn(new LinkProperties(0, 0, bytes, 1), max)).isEqualTo(expected);
    }

    // rule wire-port-mtu
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void aFullPacketOfEachOpcodePassesALinkThatTheMtuJustFits(Opcode opcode) {
        // The payload of an atomic is not part of a message that is segmented by the MTU.
        int payload = opcode.operation().isMasked() || !opcode.carriesPayload() ? 0 : 4096;
        int packet = 40 + 8 + Bth.LENGTH_BYTES + opcode.extendedBytes() + payload + 4;
        assertThat(packet).isLessThanOrEqualTo(4192);
    }

    // rule wire-port-rate
    @ParameterizedTest
    @CsvSource({"0, GBPS_200", "1, GBPS_1", "10000000000, GBPS_10", "100000000000, GBPS_100"})
    void theRateIsThatOfALinkWithABandwidth(long bitsPerSecond, LinkRate expected) {
        LinkProperties link = LinkProperties.of(0, bitsPerSecond);
        assertThat(LocalPort.rateOn(link, LinkRate.GBPS_200)).isEqualTo(expected);
    }

    @Test
    void aChangeWithoutEffectReturnsFalse() {
        assertThat(port.change(now -> now.withActive(true))).isFalse();
        assertThat(port.change(now -> now.withActive(false))).isTrue();
        assertThat(port.attributes().active()).isFalse();
    }

    @Test
    void anEmptyEntryOfThePkeyTableIsZero() {
        assertThat(port.pkey(0)).isEqualTo(0xFFFF);
        assertThat(port.pkey(1)).isEqualTo(0x8001);
        assertThat(port.pkey(2)).isZero();
        assertThat(port.pkey(3)).isZero();
    }

    @Test
    void allThatAreConnectedToAPeerHaveItsAddressAsOneObject() {
        assertThat(port.peer(V6)).isEqualTo(LocalPort.addressOf(V6)).isSameAs(port.peer(V6));
        assertThat(port.peer(V4)).isEqualTo(LocalPort.addressOf(V4)).isSameAs(port.peer(V4));
    }

    @Test
    void aPeerIsFoundAfterManyOthers() {
        for (int host = 0; host < 256; host++) {
            Gid peer = Gid.ofIpv4(10, 0, 1, host);
            assertThat(port.peer(peer)).isEqualTo(LocalPort.addressOf(peer));
        }
        assertThat(port.peer(V4)).isEqualTo(LocalPort.addressOf(V4));
    }

    @Test
    void aSourceIsFoundByItsIndexAsOneObject() {
        assertThat(port.source(0, true)).isEqualTo(LocalPort.addressOf(V4)).isSameAs(port.source(0, true));
        assertThat(port.source(1, false)).isEqualTo(LocalPort.addressOf(V6)).isSameAs(port.source(1, false));
    }

    @Test
    void aSourceStaysTheSameObjectUntilItsEntryChanges() {
        PortAddress first = port.source(0, true);
        port.change(now -> now.withActive(false));
        assertThat(port.isStill(0, first)).isTrue();
        port.change(now -> now.withGidTable(List.of(V4)));
        assertThat(port.isStill(0, first)).isTrue();
        port.change(now -> now.withGidTable(List.of(V6, V4)));
        assertThat(port.isStill(0, first)).isFalse();
        assertThat(port.isStill(2, first)).isFalse();
    }

    @Test
    void anUnusedOrOtherIpVersionEntryIsTheUnspecifiedAddress() {
        for (boolean ipv4 : new boolean[] {false, true}) {
            assertThat(port.source(2, ipv4)).isEqualTo(PortAddress.unspecified(ipv4));
            assertThat(port.source(ipv4 ? 1 : 0, ipv4)).isEqualTo(PortAddress.unspecified(ipv4));
        }
    }

    @Test
    void theFirstEntryOfAnIpVersionIsFound() {
        assertThat(port.indexOf(true)).hasValue(0);
        assertThat(port.indexOf(false)).hasValue(1);
        port.change(now -> now.withGidTable(List.of(V6)));
        assertThat(port.indexOf(true)).isEmpty();
        assertThat(port.gid()).isEqualTo(V6);
    }

    @Test
    void thePortsFabricAddressIsItsFirstGidAlsoAfterAChange() {
        port.change(now -> now.withGidTable(List.of(V6)));
        assertThat(port.address()).isEqualTo(LocalPort.addressOf(V4));
        assertThat(port.source(0, false)).isEqualTo(LocalPort.addressOf(V6));
    }
}
