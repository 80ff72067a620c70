// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets that cannot exist on a wire cannot be created. */
class PacketTest {
    private static final Route WAY =
            new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 0xC000);

    private static Bth bth(Opcode opcode, int payloadBytes) {
        return Bth.of(opcode, opcode == Opcode.DC_DISCONNECT, true, payloadBytes, 0xFFFF, 17, false, 5);
    }

    private static ExtendedHeader header(HeaderKind kind, Opcode opcode) {
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(1, 2, 3);
            case ATOMIC_ETH -> new ExtendedHeader.AtomicEth(1, 2, 3, 4);
            case AETH -> new ExtendedHeader.Aeth(0, 1);
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(1);
            case DETH -> new ExtendedHeader.Deth(1, 0, 2);
            case IMMEDIATE -> new ExtendedHeader.Immediate(1);
            case IETH -> new ExtendedHeader.Ieth(1);
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(3, opcode.transport().number(), 0);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(1, 2);
            case XRC_ETH -> new ExtendedHeader.XrcEth(0, 3);
            case DC_ETH -> new ExtendedHeader.DcEth(1, 2, 0, 3);
            case DC_CONNECT_ETH -> new ExtendedHeader.DcConnectEth(false, 0, 5, 0, 6);
        };
    }

    private static List<ExtendedHeader> headers(Opcode opcode) {
        return opcode.extended().stream().map(kind -> header(kind, opcode)).toList();
    }

    // rules wire-opcodes, wire-headers, wire-xrc-requests, wire-dc-header
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void aPacketHasTheHeadersOfItsOpcodeInTheirOrder(Opcode opcode) {
        new Packet(WAY, bth(opcode, 0), headers(opcode), Octets.NONE);
        for (Opcode other : Opcode.values()) {
            if (!other.extended().equals(opcode.extended())) {
                assertThatIllegalArgumentException()
                        .as("headers of %s", other)
                        .isThrownBy(() -> new Packet(WAY, bth(opcode, 0), headers(other), Octets.NONE))
                        .withMessageStartingWith(opcode + " has the headers");
            }
        }
        List<ExtendedHeader> reversed = headers(opcode).reversed();
        if (reversed.size() > 1) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Packet(WAY, bth(opcode, 0), reversed, Octets.NONE));
        }
    }

    // rule wire-masked-atomic
    @Test
    void aMaskedAtomicNamesItsOwnTransport() {
        List<ExtendedHeader> ofRc = headers(Opcode.RC_MASKED_FETCH_ADD);
        List<ExtendedHeader> ofXrc = List.of(ofRc.getFirst(), new ExtendedHeader.XrcEth(0, 3), ofRc.getLast());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Packet(WAY, bth(Opcode.XRC_MASKED_FETCH_ADD, 0), ofXrc, Octets.NONE))
                .withMessageStartingWith("XRC_MASKED_FETCH_ADD belongs to transport 5, not");
    }

    // rules wire-dc-masked, wire-masked-atomic
    @Test
    void aMaskedAtomicOverDcNamesDcInTheWordBeforeItsSession() {
        List<ExtendedHeader> ofXrc = headers(Opcode.XRC_MASKED_FETCH_ADD);
        List<ExtendedHeader> ofDc = List.of(ofXrc.getFirst(), header(HeaderKind.DC_ETH, Opcode.CNP), ofXrc.getLast());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Packet(WAY, bth(Opcode.DC_MASKED_FETCH_ADD, 0), ofDc, Octets.NONE))
                .withMessageStartingWith("DC_MASKED_FETCH_ADD belongs to transport 2, not");
    }

    // rule wire-dc-connect
    @Test
    void theSolicitedBitOfAConnectAndOfADisconnectIsPartOfTheirOpcode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bth.of(Opcode.DC_CONNECT, true, true, 0, 0xFFFF, 17, true, 5))
                .withMessage("DC_CONNECT with the solicited bit 1 is encoded as DC_DISCONNECT");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bth.of(Opcode.DC_DISCONNECT, false, true, 0, 0xFFFF, 17, true, 5))
                .withMessage("DC_DISCONNECT with the solicited bit 0 is encoded as DC_CONNECT");
    }

    // rules wire-dc-connect, wire-opcodes
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void onlySessionOpcodesAreSelectedByTheSolicitedBit(Opcode opcode) {
        boolean session = opcode.operation().family() == Operation.Family.SESSION;
        assertThat(opcode.isSelectedBySolicited()).isEqualTo(session);
        assertThat(opcode.solicited(true)).isEqualTo(session ? Opcode.DC_DISCONNECT : opcode);
        assertThat(opcode.solicited(false)).isEqualTo(session ? Opcode.DC_CONNECT : opcode);
        assertThat(Opcode.of(opcode.transport(), opcode.operation())).isEqualTo(opcode);
        assertThat(Opcode.of(opcode.transport(), opcode.code())).contains(session ? Opcode.DC_CONNECT : opcode);
    }

    // rule wire-dc-class
    @Test
    void onlyDcHasSessions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Opcode.of(TransportClass.RC, Operation.CONNECT))
                .withMessage("RC has no CONNECT");
        assertThat(TransportClass.numbered(2)).contains(TransportClass.DC);
        assertThat(TransportClass.DC.isAnswered()).isTrue();
    }

    // rule wire-xrc-requests
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void onlyTheRequestsOfXrcNameASharedReceiveQueue(Opcode opcode) {
        Packet packet = new Packet(WAY, bth(opcode, 0), headers(opcode), Octets.NONE);
        if (opcode.transport() == TransportClass.XRC && !opcode.operation().isResponse()) {
            assertThat(packet.xrcEth().srqNumber()).isEqualTo(3);
        } else {
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(packet::xrcEth)
                    .withMessage(opcode + " has no header XRC_ETH");
        }
    }

    @ParameterizedTest
    @EnumSource(Opcode.class)
    void onlyAnOpcodeThatCarriesAPayloadHasOne(Opcode opcode) {
        Octets bytes = Octets.wrap(new byte[4], 0, 4);
        if (opcode.carriesPayload()) {
            new Packet(WAY, bth(opcode, 4), headers(opcode), bytes);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Packet(WAY, bth(opcode, 4), headers(opcode), bytes))
                    .withMessageContaining("carries no payload");
        }
    }

    @Test
    void aPacketCopiesItsListOfHeaders() {
        List<ExtendedHeader> headers = new ArrayList<>(List.of(header(HeaderKind.RETH, Opcode.RC_WRITE_ONLY)));
        Packet packet = new Packet(WAY, bth(Opcode.RC_WRITE_ONLY, 0), headers, Octets.NONE);
        headers.clear();
        assertThat(packet.reth()).isEqualTo(header(HeaderKind.RETH, Opcode.RC_WRITE_ONLY));
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
