// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.FrameObserver;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a frames cable without its threads, and a socket as its other end; addresses are those of a capture. */
class FramesEndTest {
    private static final Path CAPTURE = Path.of("../packet/src/test/resources/captures/rc_pingpong.pcap");
    /** Soft-RoCE of Linux 6.1 with address fd00::2, and this library with fd00::1. */
    private static final Path CAPTURE_6 = Path.of("src/test/resources/rc_pingpong_ipv6.pcap");

    private static final MacAddress MAC = MacAddress.parse("52:54:00:77:00:02");
    private static final MacAddress PEER_MAC = MacAddress.parse("52:54:00:77:00:03");
    private static final PortAddress OWN = Addresses.of(address("10.77.0.2"));
    private static final PortAddress PEER = Addresses.of(address("10.77.0.3"));
    private static final int REQUESTS = 3;
    private static final long SECOND = 1_000_000_000;
    private static final int ETHERNET = 14;
    private static final int FRAGMENT_AT = ETHERNET + 6;

    private static final ActorTestKit PEKKO = ActorTestKit.create();

    private final UplinkCounters<CableCounter> counters = new UplinkCounters<>(CableCounter.class, CableCounter::text);
    private final Losses losses = new Losses(
            counters,
            new FabricReference(PEKKO.<FabricActor.Command>createTestProbe().ref(), new Epoch()));
    private final List<byte[]> observed = new ArrayList<>();
    private final DatagramChannel other = opened();
    private final FramesCable cable = cable();
    private final FramesEnd end = FramesEnd.open(cable);
    private final PacketSender sender = end.sender(losses);
    private final DatagramReader reader = end.reader(losses);

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static DatagramChannel opened() {
        try {
            return DatagramChannel.open().bind(new InetSocketAddress(Packets.loopback(1), 0));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static InetSocketAddress free() throws IOException {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(Packets.loopback(1), 0))) {
            return (InetSocketAddress) any.getLocalSocketAddress();
        }
    }

    private FramesCable cable() {
        try {
            return Cable.frames(free(), (InetSocketAddress) other.getLocalAddress())
                    .withAdapter(MAC, address("10.77.0.2"))
                    .withPeers(address("10.77.0.3"))
                    .withLimits(new PeerLimits(0, 1, 1, 1, REQUESTS))
                    .withObserver(new FrameObserver() {
                        @Override
                        public void sent(byte[] frame) {
                            observed.add(frame);
                        }

                        @Override
                        public void received(byte[] frame) {
                            observed.add(frame);
                        }
                    });
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @AfterEach
    void close() throws IOException {
        end.close();
        other.close();
    }

    @AfterAll
    static void end() {
        PEKKO.shutdownTestKit();
    }

    private Received read(byte[] frame) throws Exception {
        return read(frame, 0);
    }

    private Received read(byte[] frame, long now) throws Exception {
        assertThat(reader.accepts(cable.remote(), frame.length)).isTrue();
        return reader.read(cable.remote(), PortAddress.unspecified(false), frame, now);
    }

    private static Received refused(CableCounter why) {
        return new Received.Refused(why);
    }

    /** Returns the next frame at the other end. */
    private byte[] arrived() throws IOException {
        DatagramPacket in = new DatagramPacket(new byte[2000], 2000);
        other.socket().setSoTimeout(10_000);
        other.socket().receive(in);
        assertThat(in.getSocketAddress()).isEqualTo(cable.local());
        return Arrays.copyOf(in.getData(), in.getLength());
    }

    /** Tells the end the MAC address of the peer, and passes the announcement. */
    private void meet() throws Exception {
        end.plug(0, List.of(OWN));
        sender.advance(0);
        arrived();
        ByteBuffer arp = ByteBuffer.allocate(42);
        MAC.write(arp);
        PEER_MAC.write(arp);
        arp.putShort((short) 0x0806)
                .putInt(0x0001_0800)
                .putShort((short) 0x0604)
                .putShort((short) 2);
        PEER_MAC.write(arp);
        arp.putInt(PEER.ipv4());
        MAC.write(arp);
        arp.putInt(OWN.ipv4());
        assertThat(read(arp.array())).isEqualTo(refused(CableCounter.NEIGHBOUR_RECEIVED));
    }

    private static Outgoing leaving(Packet packet) {
        return new Outgoing(packet, Optional.empty(), OptionalLong.empty(), Optional.empty());
    }

    private static Packet packet(byte[] frame) {
        return ((Decoded.Frame) FrameDecoder.decode(frame, LinkLayer.ETHERNET))
                .frame()
                .packet();
    }

    private static List<byte[]> captured(PortAddress from) throws IOException {
        return captured(CAPTURE, from);
    }

    private static List<byte[]> captured(Path file, PortAddress from) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(file)) {
            for (Optional<CapturedFrame> next = capture.next(); next.isPresent(); next = capture.next()) {
                frames.add(next.get().bytes().toArray());
            }
        }
        frames.removeIf(frame -> !packet(frame).route().source().equals(from));
        assertThat(frames).hasSizeGreaterThan(10);
        return frames;
    }

    /** Returns the first captured frame of the peer. */
    private static byte[] real() throws IOException {
        return captured(PEER).getFirst();
    }

    private static byte[] encoded(Packet packet) {
        byte[] frame = FrameEncoder.encode(packet);
        ByteBuffer header = ByteBuffer.wrap(frame);
        MAC.write(header);
        PEER_MAC.write(header);
        return frame;
    }

    // rule wire-frames-cable
    @Test
    void framesLeaveAsSoftRoceOfLinuxSendsThem() throws Exception {
        meet();
        for (byte[] real : captured(OWN)) {
            sender.send(leaving(packet(real)), 0);
            assertThat(arrived()).isEqualTo(real);
        }
        assertThat(counters.of(CableCounter.SENT)).isPositive();
    }

    // rule wire-frames-cable
    @Test
    void framesOfSoftRoceEnterWithTheirWholeIpHeader() throws Exception {
        for (byte[] real : captured(PEER)) {
            assertThat(read(real)).isEqualTo(new Received.Whole(packet(real)));
        }
        assertThat(counters.of(CableCounter.ICRC_VERIFIED))
                .isEqualTo(captured(PEER).size());
        assertThat(counters.of(CableCounter.ICRC_VERIFIED_WITH_ID)).isZero();
    }

    // rules wire-frames-cable, wire-icrc
    @Test
    void framesOfIpv6AreThoseOfSoftRoce() throws Exception {
        PortAddress linux = Addresses.of(address("fd00::2"));
        FramesCable cable6 = Cable.frames(free(), cable.remote())
                .withAdapter(MacAddress.parse("02:00:00:00:00:01"), address("fd00::1"))
                .withPeers(address("fd00::2"));
        try (FramesEnd end6 = FramesEnd.open(cable6)) {
            DatagramReader reader6 = end6.reader(losses);
            for (byte[] real : captured(CAPTURE_6, linux)) {
                Packet packet = packet(real);
                assertThat(reader6.read(cable.remote(), PortAddress.unspecified(false), real, 0))
                        .isEqualTo(new Received.Whole(packet));
                byte[] again = FrameEncoder.encode(packet);
                assertThat(Arrays.copyOfRange(again, ETHERNET, again.length))
                        .isEqualTo(Arrays.copyOfRange(real, ETHERNET, real.length));
            }
        }
        assertThat(counters.of(CableCounter.ICRC_VERIFIED)).isGreaterThan(10);
    }

    @Test
    void packetsWithoutIdentificationShareTheirRoute() throws Exception {
        Route route = packet(real()).route().withIdentification(0);
        byte[] frame = encoded(packet(real()).withRoute(route));
        Route first = ((Received.Whole) read(frame)).packet().route();
        assertThat(((Received.Whole) read(frame)).packet().route()).isSameAs(first);
    }

    // rule wire-icrc-drop
    @Test
    void aWrongBitOfTheIdentificationIsDamage() throws Exception {
        byte[] real = real();
        real[ETHERNET + 5] ^= 1;
        // One bit of the word behind it makes the checksum right again.
        int sum = ByteBuffer.wrap(real).getShort(ETHERNET + 10) & 0xFFFF;
        boolean added = (real[ETHERNET + 5] & 1) == 1;
        ByteBuffer.wrap(real).putShort(ETHERNET + 10, (short) (added ? sum - 1 : sum + 1));
        assertThat(read(real))
                .isInstanceOfSatisfying(
                        Received.Damaged.class,
                        damaged -> assertThat(damaged.frame().toArray()).isEqualTo(real));
        assertThat(counters.of(CableCounter.ICRC_BAD)).isEqualTo(1);
    }

    @Test
    void theTrailerOfAShortFrameIsNoPartOfThePacket() throws Exception {
        byte[] padded = Arrays.copyOf(real(), real().length + 6);
        assertThat(read(padded)).isEqualTo(new Received.Whole(packet(real())));
        padded[real().length - 1] ^= 1;
        assertThat(read(padded))
                .isInstanceOfSatisfying(
                        Received.Damaged.class,
                        damaged -> assertThat(damaged.frame().length()).isEqualTo(padded.length - 6));
    }

    // rule wire-peers
    @Test
    void onlyTheOtherEndOfTheCableIsRead() {
        InetSocketAddress stranger =
                new InetSocketAddress(Packets.loopback(1), cable.remote().getPort() ^ 1);
        assertThat(reader.accepts(stranger, 100)).isFalse();
        assertThat(counters.of(CableCounter.STRANGERS)).isEqualTo(1);
        assertThat(reader.accepts(cable.remote(), ETHERNET + 1500)).isTrue();
        assertThat(reader.accepts(cable.remote(), ETHERNET + 1501)).isFalse();
        assertThat(counters.of(CableCounter.TOO_LONG)).isEqualTo(1);
    }

    // rule wire-peers
    @Test
    void aPacketOfAStrangerIsRefused() throws Exception {
        Packet packet = packet(real());
        Packet strange = packet.withRoute(packet.route().withSource(PortAddress.ofIpv4(0x0A4D_0063)));
        assertThat(read(encoded(strange))).isEqualTo(refused(CableCounter.STRANGERS));
    }

    // rule wire-peers
    @Test
    void requestsOfAPeerAreLimited() throws Exception {
        byte[] mad = new byte[CmDatagram.BYTES];
        mad[17] = (byte) CmAttribute.REQ.id();
        Packet datagram = Packets.datagram(3, 2, CmDatagram.QP_NUMBER, Octets.copyOf(mad));
        byte[] frame = encoded(datagram.withRoute(packet(real()).route()));
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(read(frame)).isInstanceOf(Received.Whole.class);
        }
        assertThat(read(frame)).isEqualTo(refused(CableCounter.TOO_MANY_REQUESTS));
        assertThat(read(frame, SECOND)).isInstanceOf(Received.Whole.class);
    }

    // rule wire-frames-cable
    @ParameterizedTest
    @ValueSource(shorts = {0x2000, 1, 0x4001})
    void fragmentsAreRefused(short bits) throws Exception {
        byte[] frame = encoded(packet(real()).withRoute(withFlags(packet(real()).route(), bits)));
        assertThat(read(frame)).isEqualTo(refused(CableCounter.FRAGMENTS));
    }

    private static Route withFlags(Route route, int flags) {
        return new Route(
                route.source(),
                route.destination(),
                route.trafficClass(),
                route.hopLimit(),
                0,
                route.udpSourcePort(),
                route.identification(),
                flags);
    }

    @Test
    void fragmentsOfIpv6AreRefused() throws Exception {
        ByteBuffer frame = ByteBuffer.allocate(100);
        MAC.write(frame);
        PEER_MAC.write(frame);
        frame.putShort((short) 0x86DD).putInt(6 << 28).putShort((short) 46).put((byte) 44);
        assertThat(read(frame.array())).isEqualTo(refused(CableCounter.FRAGMENTS));
    }

    // rule wire-frames-cable
    @Test
    void otherProtocolsAndFramesToOthersAreCounted() throws Exception {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            frames.add(real());
        }
        frames.get(0)[5] ^= 1; // another host
        Arrays.fill(frames.get(1), 0, 6, (byte) 0xFF); // all hosts
        frames.get(2)[12] = (byte) 0x81; // VLAN tag
        frames.get(3)[ETHERNET] = 0x46; // options
        frames.get(4)[ETHERNET + 20 + 2] = 0; // UDP port
        for (byte[] frame : frames) {
            assertThat(read(frame)).isEqualTo(refused(CableCounter.OTHER_FRAMES));
        }
        assertThat(counters.of(CableCounter.OTHER_FRAMES)).isEqualTo(5);
    }

    @Test
    void framesThatAreCutOrWrongAreMalformed() throws Exception {
        byte[] wrongChecksum = real();
        wrongChecksum[FRAGMENT_AT + 2] ^= 1;
        for (byte[] frame :
                List.of(new byte[3], Arrays.copyOf(real(), 20), Arrays.copyOf(real(), 100), wrongChecksum)) {
            assertThat(read(frame)).isEqualTo(refused(CableCounter.MALFORMED));
        }
    }

    @Test
    void packetsWaitForTheMacAddressAndLeaveInOrder() throws Exception {
        end.plug(0, List.of(OWN));
        List<byte[]> real = captured(OWN);
        for (byte[] frame : real) {
            sender.send(leaving(packet(frame)), 0);
        }
        assertThat(counters.of(CableCounter.SENT)).isZero();
        assertThat(arrived()).startsWith(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF).hasSize(42);
        meet();
        for (byte[] frame : real) {
            assertThat(arrived()).isEqualTo(frame);
        }
        assertThat(counters.of(CableCounter.SENT)).isEqualTo(real.size());
    }

    @Test
    void packetsToASilentHostAreCountedAsLost() throws Exception {
        end.plug(0, List.of(OWN));
        sender.send(leaving(packet(captured(OWN).getFirst())), 0);
        for (int second = 1; second <= 3; second++) {
            sender.advance(second * SECOND);
        }
        assertThat(counters.of(CableCounter.NO_NEIGHBOUR)).isEqualTo(1);
        assertThat(counters.of(CableCounter.SENT)).isZero();
    }

    // rule wire-icrc-drop
    @Test
    void aDamagedFrameLeavesAsItIs() throws Exception {
        meet();
        byte[] damaged = captured(OWN).getFirst();
        Packet packet = packet(damaged);
        damaged[60] ^= 8;
        sender.send(
                new Outgoing(packet, Optional.of(Octets.copyOf(damaged)), OptionalLong.empty(), Optional.empty()), 0);
        assertThat(arrived()).isEqualTo(damaged);
    }

    @Test
    void theObserverSeesEveryFrame() throws Exception {
        meet();
        sender.send(leaving(packet(captured(OWN).getFirst())), 0);
        assertThat(observed).hasSize(3).last().isEqualTo(arrived());
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> FramesEnd.open(cable))
                .withMessageStartingWith("frames on UDP 127.0.0.1 port ")
                .withMessageContaining("another program may have the port");
    }
}
