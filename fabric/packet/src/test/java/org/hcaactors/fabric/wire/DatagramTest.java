// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents of UDP datagrams, as a socket sends and receives them. */
class DatagramTest {
    private static final int IPV4_AND_UDP = 20 + 8;
    private static final int ETHERNET = 14;
    private static final int BTH_BYTES = 12;
    /** The byte of FECN and BECN, which the ICRC does not cover. */
    private static final int UNCOVERED_BYTE = 4;

    private static final UdpPorts PORTS = UdpPorts.roce();
    private static final Route V4 = new Route(
            PortAddress.ofIpv4(0x7F000002), PortAddress.ofIpv4(0x7F000003), 0, 64, 0, Route.UDP_DESTINATION_PORT);
    private static final Route V6 =
            new Route(new PortAddress(0, 1), new PortAddress(0, 2), 0, 64, 0, Route.UDP_DESTINATION_PORT);

    private static Packet packet(Route route, int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        new Random(payloadBytes).nextBytes(payload);
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, payloadBytes, Bth.DEFAULT_PKEY, 0x11, true, 5);
        return new Packet(route, bth, List.of(), Octets.wrap(payload, 0, payloadBytes));
    }

    private static byte[] encode(Packet packet, UdpPorts ports) {
        ByteBuffer out = ByteBuffer.allocate(DatagramEncoder.lengthBytes(packet));
        DatagramEncoder.encode(packet, ports, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.array();
    }

    private static DecodedDatagram.Whole decode(byte[] contents, Route route) {
        return decode(contents, route, PORTS);
    }

    private static DecodedDatagram.Whole decode(byte[] contents, Route route, UdpPorts ports) {
        return (DecodedDatagram.Whole) DatagramDecoder.decode(contents, route, ports);
    }

    /** Returns the contents of the datagram in a frame on Ethernet and IPv4. */
    private static byte[] contents(byte[] frame) {
        return Arrays.copyOfRange(frame, ETHERNET + IPV4_AND_UDP, frame.length);
    }

    private static Route identified(int identification) {
        return new Route(
                V4.source(), V4.destination(), 0, 64, 0, V4.udpSourcePort(), identification, Route.DONT_FRAGMENT);
    }

    // rules wire-frame, wire-icrc
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 64, 1023, 1024, 4096})
    void aPacketIsTheSameBehindASocket(int payloadBytes) {
        for (Route route : List.of(V4, V6)) {
            Packet packet = packet(route, payloadBytes);
            assertThat(decode(encode(packet, PORTS), route))
                    .isEqualTo(new DecodedDatagram.Whole(packet, new IcrcCheck.Verified()));
        }
    }

    // rule wire-identification
    @Test
    void theContentsAreThoseOfAFrameWithoutAnIdentification() {
        Packet packet = packet(V4, 100);
        assertThat(encode(packet, PORTS)).isEqualTo(contents(FrameEncoder.encode(packet)));
        assertThat(encode(packet.withRoute(identified(77)), PORTS)).isEqualTo(encode(packet, PORTS));
    }

    @Test
    void aDirectBufferHasTheSameContents() {
        Packet packet = packet(V4, 1000);
        ByteBuffer direct = ByteBuffer.allocateDirect(4000).position(7);
        DatagramEncoder.encode(packet, PORTS, direct);
        byte[] written = new byte[direct.position() - 7];
        direct.get(7, written);
        assertThat(written).isEqualTo(encode(packet, PORTS));
    }

    @Test
    void aBufferWithoutRoomIsRefused() {
        Packet packet = packet(V4, 8);
        ByteBuffer small = ByteBuffer.allocate(DatagramEncoder.lengthBytes(packet) - 1);
        Assertions.assertThatExceptionOfType(BufferOverflowException.class)
                .isThrownBy(() -> DatagramEncoder.encode(packet, PORTS, small));
    }

    // rule wire-icrc
    @Test
    void theIcrcCoversBothPorts() {
        Packet packet = packet(V4, 8);
        byte[] contents = encode(packet, new UdpPorts(5000, 5001));
        assertThat(decode(contents, V4, new UdpPorts(5000, 5001)).icrc()).isEqualTo(new IcrcCheck.Verified());
        assertThat(decode(contents, V4, new UdpPorts(5001, 5000)).icrc()).isInstanceOf(IcrcCheck.Bad.class);
    }

    // rule wire-identification
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 1024})
    void everyIdentificationIsFound(int payloadBytes) {
        Packet packet = packet(V4, payloadBytes);
        for (int id = 1; id <= 0xFFFF; id++) {
            byte[] contents = contents(FrameEncoder.encode(packet.withRoute(identified(id))));
            IcrcCheck found = decode(contents, V4).icrc();
            if (!found.equals(new IcrcCheck.VerifiedWithIdentification(id))) {
                assertThat(found).isEqualTo(new IcrcCheck.VerifiedWithIdentification(id));
            }
        }
    }

    // rule wire-identification
    @Test
    void theIdentificationOfACapturedNotificationIsFound() {
        byte[] frame = HexFormat.of()
                .parseHex(
                        "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ffff40000118"
                                + "00000000" + "00".repeat(16) + "82fd002a");
        Route route = new Route(PortAddress.ofIpv4(0x0A001101), PortAddress.ofIpv4(0x0A001201), 0, 64, 0, 0);
        DecodedDatagram.Whole read = decode(contents(frame), route, new UdpPorts(0, Route.UDP_DESTINATION_PORT));
        assertThat(read.icrc()).isEqualTo(new IcrcCheck.VerifiedWithIdentification(0x718c));
        assertThat(read.packet().opcode()).isEqualTo(Opcode.CNP);
    }

    // rule wire-icrc
    @ParameterizedTest
    @ValueSource(ints = {8, 256, 1024})
    void aWrongBitBehindTheHeaderIsAlwaysFound(int payloadBytes) {
        byte[] right = encode(packet(V4, payloadBytes), PORTS);
        List<Integer> missed = IntStream.range(BTH_BYTES * 8, right.length * 8)
                .filter(bit -> !(decode(flipped(right, bit), V4).icrc() instanceof IcrcCheck.Bad))
                .boxed()
                .toList();
        assertThat(missed).isEmpty();
    }

    // rules wire-bth, wire-icrc
    @Test
    void aWrongBitInTheHeaderIsFoundWhereTheIcrcCoversIt() {
        byte[] right = encode(packet(V4, 64), PORTS);
        List<Integer> accepted = IntStream.range(0, BTH_BYTES * 8)
                .filter(bit ->
                        DatagramDecoder.decode(flipped(right, bit), V4, PORTS) instanceof DecodedDatagram.Whole whole
                                && !(whole.icrc() instanceof IcrcCheck.Bad))
                .mapToObj(bit -> bit / 8)
                .distinct()
                .toList();
        assertThat(accepted).containsExactly(UNCOVERED_BYTE);
    }

    // rule wire-identification
    @Test
    void oneOf65536RandomErrorsLooksLikeAnIdentification() {
        Random random = new Random(1);
        long accepted = IntStream.range(0, 1 << 20)
                .filter(i -> IdentificationSolver.solve(random.nextInt(), 100).isPresent())
                .count();
        assertThat(accepted).isBetween(8L, 32L);
    }

    @Test
    void anIpv6PacketHasNoIdentification() {
        byte[] contents = encode(packet(V6, 64), PORTS);
        for (int byteIndex = BTH_BYTES; byteIndex < contents.length; byteIndex++) {
            for (int value = 1; value < 256; value++) {
                byte[] wrong = contents.clone();
                wrong[byteIndex] ^= (byte) value;
                assertThat(decode(wrong, V6).icrc()).isInstanceOf(IcrcCheck.Bad.class);
            }
        }
    }

    // rule wire-icrc-drop
    @ParameterizedTest
    @ValueSource(strings = {"HEADER", "PAYLOAD", "ICRC"})
    void aDamagedFrameLeavesWithItsDamage(BitFlip.Where where) {
        Packet packet = packet(V4.withUdpSourcePort(0xC123), 64);
        byte[] right = encode(packet, PORTS);
        for (int choice = 0; choice < 40; choice++) {
            BitFlip flip = BitFlip.of(packet, where, choice);
            ByteBuffer out = ByteBuffer.allocate(right.length);
            DatagramEncoder.encodeDamaged(packet, Octets.copyOf(flip.in(packet)), PORTS, out);
            byte[] expected = right.clone();
            expected[flip.byteIndex() - ETHERNET - IPV4_AND_UDP] ^= (byte) (1 << flip.bit());
            assertThat(out.array()).isEqualTo(expected);
        }
    }

    @Test
    void aDamagedIpHeaderMakesTheIcrcWrong() {
        Packet packet = packet(V4, 64);
        ByteBuffer out = ByteBuffer.allocate(DatagramEncoder.lengthBytes(packet));
        byte[] frame = new BitFlip(ETHERNET + 12, 3).in(packet);
        DatagramEncoder.encodeDamaged(packet, Octets.copyOf(frame), PORTS, out);
        assertThat(decode(out.array(), V4).icrc()).isInstanceOf(IcrcCheck.Bad.class);
    }

    @Test
    void aDamagedFrameOfAnotherLengthIsRefused() {
        Packet packet = packet(V4, 64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatagramEncoder.encodeDamaged(
                        packet, Octets.copyOf(new byte[50]), PORTS, ByteBuffer.allocate(200)))
                .withMessage("the damaged frame has 50 bytes; the frame of its packet has 122");
    }

    // rule wire-icrc-drop
    @Test
    void aBadDatagramHasTheSameDamageAsAFrame() {
        Packet packet = packet(V4, 64);
        UdpPorts others = new UdpPorts(5000, 5001);
        byte[] wrong = flipped(encode(packet, others), 8 * 30);
        DecodedDatagram.Whole read = decode(wrong, V4, others);
        Octets frame = DatagramDecoder.damagedFrame(read.packet(), wrong, (IcrcCheck.Bad) read.icrc());
        assertThat(frame).isEqualTo(Octets.copyOf(new BitFlip(ETHERNET + IPV4_AND_UDP + 30, 0).in(packet)));
    }

    @Test
    void aDatagramThatIsNoPacketIsNamed() {
        assertThat(defect(new byte[15])).isEqualTo(Problem.BAD_LENGTH);
        assertThat(defect(new byte[0])).isEqualTo(Problem.BAD_LENGTH);
        byte[] unknown = encode(packet(V4, 0), PORTS);
        unknown[0] = (byte) 0xFF;
        assertThat(defect(unknown)).isEqualTo(Problem.UNKNOWN_OPCODE);
        byte[] shorter = encode(packet(V4, 0), PORTS);
        shorter[0] = 0x06;
        assertThat(defect(shorter)).isEqualTo(Problem.BAD_LENGTH);
    }

    private static Problem defect(byte[] contents) {
        return ((DecodedDatagram.Invalid) DatagramDecoder.decode(contents, V4, PORTS))
                .defect()
                .problem();
    }

    @Test
    void randomBytesNeverThrow() {
        Random random = new Random(43);
        long packets = IntStream.range(0, 100_000)
                .mapToObj(i -> new byte[random.nextInt(80)])
                .peek(random::nextBytes)
                .map(bytes -> DatagramDecoder.decode(bytes, V4, PORTS))
                .filter(DecodedDatagram.Whole.class::isInstance)
                .count();
        assertThat(packets).isPositive();
    }

    @Test
    void anAcknowledgementIsTheSameBehindASocket() {
        Bth bth = Bth.of(Opcode.RC_ACKNOWLEDGE, false, true, 0, Bth.DEFAULT_PKEY, 0x12, false, 0xFF_FFFF);
        Packet ack = new Packet(V4, bth, List.of(new ExtendedHeader.Aeth(0x1F, 9)), Octets.NONE);
        assertThat(decode(encode(ack, PORTS), V4).packet()).isEqualTo(ack);
    }

    private static byte[] flipped(byte[] contents, int bit) {
        byte[] wrong = contents.clone();
        wrong[bit / 8] ^= (byte) (1 << bit % 8);
        return wrong;
    }
}
