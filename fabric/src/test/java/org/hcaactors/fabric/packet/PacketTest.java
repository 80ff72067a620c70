// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What no wire can bring can't be made. */
class PacketTest {
    private static final Route WAY =
            new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 0xC000);

    private static Bth bth(Opcode opcode, int payloadBytes) {
        return Bth.of(opcode, false, true, payloadBytes, 0xFFFF, 17, false, 5);
    }

    private static ExtendedHeader header(HeaderKind kind) {
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(1, 2, 3);
            case ATOMIC_ETH -> new ExtendedHeader.AtomicEth(1, 2, 3, 4);
            case AETH -> new ExtendedHeader.Aeth(0, 1);
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(1);
            case DETH -> new ExtendedHeader.Deth(1, 0, 2);
            case IMMEDIATE -> new ExtendedHeader.Immediate(1);
            case IETH -> new ExtendedHeader.Ieth(1);
            case ATOMIC_SIZE -> new ExtendedHeader.AtomicSize(3, 0, 0);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(1, 2);
        };
    }

    private static List<ExtendedHeader> headers(List<HeaderKind> kinds) {
        return kinds.stream().map(PacketTest::header).toList();
    }

    // rules wire-opcodes, wire-headers
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void aPacketHasTheHeadersOfItsOpcodeInTheirOrder(Opcode opcode) {
        new Packet(WAY, bth(opcode, 0), headers(opcode.extended()), Octets.NONE);
        for (Opcode other : Opcode.values()) {
            if (!other.extended().equals(opcode.extended())) {
                assertThatIllegalArgumentException()
                        .as("headers of %s", other)
                        .isThrownBy(() -> new Packet(WAY, bth(opcode, 0), headers(other.extended()), Octets.NONE))
                        .withMessageStartingWith(opcode + " brings");
            }
        }
        List<HeaderKind> reversed = opcode.extended().reversed();
        if (reversed.size() > 1) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Packet(WAY, bth(opcode, 0), headers(reversed), Octets.NONE));
        }
    }

    @ParameterizedTest
    @EnumSource(Opcode.class)
    void onlyAnOpcodeThatCarriesAPayloadHasOne(Opcode opcode) {
        Octets bytes = Octets.wrap(new byte[4], 0, 4);
        if (opcode.carriesPayload()) {
            new Packet(WAY, bth(opcode, 4), headers(opcode.extended()), bytes);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Packet(WAY, bth(opcode, 4), headers(opcode.extended()), bytes))
                    .withMessageContaining("has no payload");
        }
    }

    @Test
    void itsHeadersStayAsTheyWere() {
        List<ExtendedHeader> headers = new ArrayList<>(List.of(header(HeaderKind.RETH)));
        Packet packet = new Packet(WAY, bth(Opcode.RC_WRITE_ONLY, 0), headers, Octets.NONE);
        headers.clear();
        assertThat(packet.reth()).isEqualTo(header(HeaderKind.RETH));
    }

    // rule wire-pad
    @Test
    void thePadFollowsThePayload() {
        Packet packet = new Packet(WAY, bth(Opcode.RC_SEND_ONLY, 0), List.of(), Octets.NONE);
        assertThat(packet.withPayload(Octets.wrap(new byte[5], 0, 5)).bth().padCount())
                .isEqualTo((byte) 3);
    }

    // rule wire-bth
    @ParameterizedTest
    @CsvSource({
        "4, 0, 0, 0, 0",
        "0, 65536, 0, 0, 0",
        "0, 0, 16777216, 0, 0",
        "0, 0, 0, 16777216, 0",
        "0, 0, 0, -1, 0",
        "0, 0, 0, 0, 16",
        "-1, 0, 0, 0, 0"
    })
    void aFieldHasNoMoreBitsThanOnTheWire(byte pad, int pkey, int destQp, int psn, byte version) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Bth(
                        Opcode.RC_SEND_ONLY,
                        false,
                        false,
                        pad,
                        version,
                        pkey,
                        false,
                        false,
                        (byte) 0,
                        destQp,
                        false,
                        (byte) 0,
                        psn))
                .withMessageContaining("is allowed");
    }
}
