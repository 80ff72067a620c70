// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.fabric.neighbour.LinuxFrames.A4;
import static org.hcaactors.fabric.neighbour.LinuxFrames.A6;
import static org.hcaactors.fabric.neighbour.LinuxFrames.B4;
import static org.hcaactors.fabric.neighbour.LinuxFrames.B6;
import static org.hcaactors.fabric.neighbour.LinuxFrames.MAC_A;
import static org.hcaactors.fabric.neighbour.LinuxFrames.MAC_B;
import static org.hcaactors.fabric.neighbour.LinuxFrames.header;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.neighbour.NeighbourMessage.Advertisement;
import org.hcaactors.fabric.neighbour.NeighbourMessage.Solicitation;
import org.hcaactors.fabric.neighbour.Neighbours.Action;
import org.hcaactors.fabric.neighbour.Neighbours.Why;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// rule wire-neighbours
class NeighboursTest {
    private static final long SECOND = 1_000_000_000;
    private static final MacAddress OTHER = MacAddress.parse("52:54:00:00:00:0c");

    /** A is this end, B the other one. */
    private final Neighbours<String> ofA = plugged(MAC_A, List.of(A4, A6), List.of(B4, B6));

    private final Neighbours<String> ofB = plugged(MAC_B, List.of(B4, B6), List.of(A4, A6));

    private static Neighbours<String> plugged(MacAddress mac, List<PortAddress> own, List<PortAddress> peers) {
        Neighbours<String> made = new Neighbours<>(peers);
        made.plug(mac, own);
        announced(made);
        return made;
    }

    /** Passes the time of the announcements. */
    private static void announced(Neighbours<String> all) {
        all.advance(-10 * SECOND);
        all.advance(-5 * SECOND);
        assertThat(all.nextDeadline(0)).isEqualTo(Long.MAX_VALUE);
    }

    private static byte[] frame(List<Action<String>> actions) {
        assertThat(actions).hasSize(1);
        return ((Action.Transmit<String>) actions.getFirst()).frame();
    }

    private static List<Action<String>> sent(MacAddress to, String... packets) {
        List<Action<String>> all = new ArrayList<>();
        for (String packet : packets) {
            all.add(new Action.Send<>(packet, to));
        }
        return all;
    }

    private static List<Action<String>> receive(Neighbours<String> end, byte[] frame, long now) {
        return header(frame).type() == EthernetHeader.TYPE_ARP
                ? end.arp(frame, now)
                : end.icmpv6(frame, header(frame), now);
    }

    @Test
    void questionsAndAnswersAreThoseOfLinux() {
        byte[] asked = frame(ofA.send("1", A4, B4, 0));
        assertThat(asked).isEqualTo(LinuxFrames.ARP_REQUEST);
        assertThat(frame(ofB.arp(asked, 0))).isEqualTo(LinuxFrames.ARP_REPLY);
        byte[] asked6 = frame(ofA.send("1", A6, B6, 0));
        assertThat(asked6).isEqualTo(LinuxFrames.SOLICITATION);
        assertThat(frame(ofB.icmpv6(asked6, header(asked6), 0))).isEqualTo(LinuxFrames.ADVERTISEMENT);
    }

    @Test
    void packetsThatWaitLeaveInOrderAndLaterOnesAtOnce() {
        ofA.send("1", A4, B4, 0);
        assertThat(ofA.send("2", A4, B4, 1)).isEmpty();
        assertThat(ofA.send("3", A4, B4, 2)).isEmpty();
        assertThat(ofA.arp(LinuxFrames.ARP_REPLY, 3)).isEqualTo(sent(MAC_B, "1", "2", "3"));
        assertThat(ofA.send("4", A4, B4, 4)).isEqualTo(sent(MAC_B, "4"));
        ofA.send("5", A6, B6, 5);
        assertThat(receive(ofA, LinuxFrames.ADVERTISEMENT, 6)).isEqualTo(sent(MAC_B, "5"));
        assertThat(ofA.send("6", A6, B6, 7)).isEqualTo(sent(MAC_B, "6"));
    }

    @Test
    void aHostIsKnownByItsQuestions() {
        ofB.arp(LinuxFrames.ARP_REQUEST, 0);
        assertThat(ofB.send("1", B4, A4, 0)).isEqualTo(sent(MAC_A, "1"));
        receive(ofB, LinuxFrames.SOLICITATION, 0);
        assertThat(ofB.send("2", B6, A6, 0)).isEqualTo(sent(MAC_A, "2"));
    }

    @Test
    void anOldAddressIsUsedWhileItsHostAloneIsAsked() {
        ofB.arp(LinuxFrames.ARP_REQUEST, 0);
        List<Action<String>> old = ofB.send("1", B4, A4, Neighbours.FRESH_NANOS);
        assertThat(old.subList(0, 1)).isEqualTo(sent(MAC_A, "1"));
        assertThat(frame(old.subList(1, 2))).isEqualTo(LinuxFrames.ARP_AGAIN);
        assertThat(ofB.send("2", B4, A4, Neighbours.FRESH_NANOS + 1)).isEqualTo(sent(MAC_A, "2"));
        ofB.arp(LinuxFrames.ARP_REQUEST, Neighbours.FRESH_NANOS + 2);
        assertThat(ofB.send("3", B4, A4, 2 * Neighbours.FRESH_NANOS)).isEqualTo(sent(MAC_A, "3"));
    }

    @Test
    void anAnswerWithoutMacAddressConfirmsTheKnownOne() {
        receive(ofB, LinuxFrames.SOLICITATION, 0);
        ofB.send("1", B6, A6, Neighbours.FRESH_NANOS);
        receive(ofB, LinuxFrames.ADVERTISEMENT_AGAIN, Neighbours.FRESH_NANOS + 1);
        assertThat(ofB.send("2", B6, A6, 2 * Neighbours.FRESH_NANOS)).isEqualTo(sent(MAC_A, "2"));
        Neighbours<String> nothing = plugged(MAC_B, List.of(B6), List.of(A6));
        assertThat(receive(nothing, LinuxFrames.ADVERTISEMENT_AGAIN, 0)).isEmpty();
        assertThat(nothing.known()).isZero();
    }

    @Test
    void aHostThatIsGoneIsForgotten() {
        ofB.arp(LinuxFrames.ARP_REQUEST, 0);
        long asked = Neighbours.FRESH_NANOS;
        ofB.send("1", B4, A4, asked);
        for (int i = 1; i < Neighbours.MAX_QUESTIONS; i++) {
            assertThat(frame(ofB.advance(asked + i * Neighbours.RETRY_NANOS))).isEqualTo(LinuxFrames.ARP_AGAIN);
        }
        assertThat(ofB.advance(asked + Neighbours.MAX_QUESTIONS * Neighbours.RETRY_NANOS))
                .isEmpty();
        assertThat(ofB.known()).isZero();
    }

    @Test
    void packetsToAHostThatDoesNotAnswerAreLost() {
        ofA.send("1", A4, B4, 0);
        ofA.send("2", A4, B4, SECOND / 2);
        for (int i = 1; i < Neighbours.MAX_QUESTIONS; i++) {
            assertThat(ofA.nextDeadline(0)).isEqualTo(i * Neighbours.RETRY_NANOS);
            assertThat(frame(ofA.advance(i * Neighbours.RETRY_NANOS))).isEqualTo(LinuxFrames.ARP_REQUEST);
        }
        assertThat(ofA.advance(Neighbours.MAX_QUESTIONS * Neighbours.RETRY_NANOS))
                .isEqualTo(List.of(new Action.Lost<>("1", Why.NO_ANSWER), new Action.Lost<>("2", Why.NO_ANSWER)));
        assertThat(ofA.nextDeadline(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(frame(ofA.send("3", A4, B4, 5 * SECOND))).isEqualTo(LinuxFrames.ARP_REQUEST);
    }

    @Test
    void theWaitingPacketsAreBounded() {
        for (int i = 0; i < Neighbours.MAX_WAITING; i++) {
            ofA.send("", A4, B4, 0);
        }
        assertThat(ofA.send("late", A4, B4, 0)).containsExactly(new Action.Lost<>("late", Why.TOO_MANY_WAIT));
        assertThat(ofA.arp(LinuxFrames.ARP_REPLY, 0)).hasSize(Neighbours.MAX_WAITING);
    }

    @Test
    void onlyOwnAddressesSendAndOnlyPeersReceive() {
        PortAddress stranger = LinuxFrames.address("10.9.0.77");
        assertThat(ofA.send("1", stranger, B4, 0)).containsExactly(new Action.Lost<>("1", Why.NOT_OURS));
        assertThat(ofA.send("2", A4, stranger, 0)).containsExactly(new Action.Lost<>("2", Why.NOT_A_PEER));
    }

    @Test
    void groupsHaveMacAddressesOfTheirOwn() {
        assertThat(ofA.send("1", A4, LinuxFrames.address("239.129.2.3"), 0))
                .isEqualTo(sent(MacAddress.parse("01:00:5e:01:02:03"), "1"));
        assertThat(ofA.send("2", A6, LinuxFrames.address("ff0e::8001:203"), 0))
                .isEqualTo(sent(MacAddress.parse("33:33:80:01:02:03"), "2"));
    }

    @Test
    void newAddressesAreAnnouncedTwice() {
        Neighbours<String> end = new Neighbours<>(List.of(B4));
        end.plug(MAC_A, List.of(A4));
        assertThat(end.nextDeadline(7)).isEqualTo(7);
        byte[] announced = ArpMessage.request(MAC_A, A4, A4).frame(MacAddress.BROADCAST);
        assertThat(frame(end.advance(7))).isEqualTo(announced);
        assertThat(end.nextDeadline(7)).isEqualTo(7 + Neighbours.ANNOUNCE_NANOS);
        assertThat(frame(end.advance(7 + Neighbours.ANNOUNCE_NANOS))).isEqualTo(announced);
        assertThat(end.nextDeadline(7)).isEqualTo(Long.MAX_VALUE);
        end.plug(MAC_A, List.of(A4, A6, PortAddress.unspecified(true), PortAddress.unspecified(false)));
        byte[] only = frame(end.advance(100 * SECOND));
        assertThat(NeighbourMessage.of(Icmpv6.read(only).orElseThrow()))
                .contains(new Advertisement(A6, A6, Optional.of(MAC_A), false, true));
        assertThat(header(only).destination()).isEqualTo(MacAddress.parse("33:33:00:00:00:01"));
    }

    @Test
    void anAddressThatWasTakenAwayIsNotAnswered() {
        ofB.plug(MAC_B, List.of(B6));
        assertThat(ofB.arp(LinuxFrames.ARP_REQUEST, 0)).isEmpty();
        assertThat(ofB.send("1", B4, A4, 0)).containsExactly(new Action.Lost<>("1", Why.NOT_OURS));
    }

    @Test
    void aSolicitationOfAHostWithoutAddressIsAnsweredToAll() {
        byte[] probe =
                new Solicitation(PortAddress.unspecified(false), B6, Optional.empty()).frame(MAC_A, Optional.empty());
        byte[] answer = frame(ofB.icmpv6(probe, header(probe), 0));
        assertThat(Icmpv6.read(answer).orElseThrow().destination()).isEqualTo(NeighbourMessage.ALL_NODES);
        assertThat(NeighbourMessage.of(Icmpv6.read(answer).orElseThrow()))
                .contains(new Advertisement(B6, B6, Optional.of(MAC_B), false, true));
    }

    @Test
    void anAdvertisementWithoutOverrideDoesNotReplace() {
        receive(ofA, LinuxFrames.ADVERTISEMENT, 0);
        receive(ofA, new Advertisement(B6, B6, Optional.of(OTHER), true, false).frame(OTHER, MAC_A, A6), 1);
        assertThat(ofA.send("1", A6, B6, 2)).isEqualTo(sent(MAC_B, "1"));
        receive(ofA, new Advertisement(B6, B6, Optional.of(OTHER), false, true).frame(OTHER, MAC_A, A6), 3);
        assertThat(ofA.send("2", A6, B6, 4)).isEqualTo(sent(OTHER, "2"));
    }

    @Test
    void aPeerHasNeitherOurMacAddressNorThatOfAGroup() {
        for (MacAddress wrong : List.of(MAC_A, MacAddress.BROADCAST, new MacAddress(0))) {
            assertThat(ofA.arp(new ArpMessage(ArpMessage.REPLY, wrong, B4, MAC_A, A4).frame(MAC_A), 0))
                    .isEmpty();
            byte[] told = new Advertisement(B6, B6, Optional.of(wrong), true, true).frame(OTHER, MAC_A, A6);
            assertThat(receive(ofA, told, 0)).isEmpty();
        }
        assertThat(ofA.known()).isZero();
    }

    @Test
    void aFloodOfForgedMessagesIsBounded() {
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            PortAddress stranger = PortAddress.ofIpv4(0x0B00_0000 | random.nextInt(1 << 24));
            MacAddress mac = new MacAddress(0x5254_0000_0000L | random.nextInt() & 0xFFFF_FFFFL);
            assertThat(ofA.arp(new ArpMessage(ArpMessage.REPLY, mac, stranger, MAC_A, A4).frame(MAC_A), i))
                    .isEmpty();
            PortAddress stranger6 = new PortAddress(B6.high(), random.nextLong() | 1L << 40);
            byte[] told = new Advertisement(stranger6, stranger6, Optional.of(mac), true, true).frame(mac, MAC_A, A6);
            assertThat(receive(ofA, told, i)).isEmpty();
        }
        assertThat(ofA.known()).isZero();
        assertThat(ofA.nextDeadline(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void noBytesMakeItFail() {
        Random random = new Random(2);
        List<byte[]> real = List.of(
                LinuxFrames.ARP_REQUEST,
                LinuxFrames.SOLICITATION,
                LinuxFrames.ADVERTISEMENT,
                LinuxFrames.PING,
                LinuxFrames.PING6);
        for (int i = 0; i < 20_000; i++) {
            byte[] frame = real.get(i % real.size()).clone();
            byte[] cut = Arrays.copyOf(frame, random.nextInt(frame.length + 20));
            for (int flips = random.nextInt(4); flips > 0 && cut.length > 0; flips--) {
                cut[random.nextInt(cut.length)] = (byte) random.nextInt();
            }
            EthernetHeader header = header(frame);
            assertThat(ofB.arp(cut, i)).hasSizeLessThan(3);
            assertThat(ofB.icmpv6(cut, header, i)).hasSizeLessThan(3);
        }
    }

    @Test
    void pingIsAnswered() {
        byte[] reply = frame(ofB.icmp(LinuxFrames.PING, header(LinuxFrames.PING), B4));
        assertThat(header(reply)).isEqualTo(new EthernetHeader(MAC_A, MAC_B, EthernetHeader.TYPE_IPV4));
        assertThat(InternetChecksum.isRight(reply, EthernetHeader.BYTES, 20)).isTrue();
        assertThat(InternetChecksum.isRight(reply, EthernetHeader.BYTES + 20, 16))
                .isTrue();
        assertThat(reply).hasSameSizeAs(LinuxFrames.PING).endsWith(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(reply[EthernetHeader.BYTES + 20]).isZero();
        assertThat(ofB.icmp(LinuxFrames.PING, header(LinuxFrames.PING), A4)).isEmpty();
        assertThat(ofB.icmp(reply, header(reply), B4)).isEmpty();
    }

    @Test
    void pingOverIpv6IsAnswered() {
        byte[] reply = frame(receive(ofB, LinuxFrames.PING6, 0));
        assertThat(header(reply)).isEqualTo(new EthernetHeader(MAC_A, MAC_B, EthernetHeader.TYPE_IPV6));
        Icmpv6 packet = Icmpv6.read(reply).orElseThrow();
        assertThat(packet.type()).isEqualTo(129);
        assertThat(packet.source()).isEqualTo(B6);
        assertThat(packet.body())
                .isEqualTo(Icmpv6.read(LinuxFrames.PING6).orElseThrow().body());
        assertThat(receive(ofA, LinuxFrames.PING6, 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 25, 36, 55, 60, 70})
    void aSolicitationWithOneWrongByteIsIgnored(int at) {
        byte[] wrong = LinuxFrames.SOLICITATION.clone();
        wrong[at] ^= 1;
        assertThat(receive(ofB, wrong, 0)).isEmpty();
    }

    @Test
    void aSolicitationThatARouterForwardedIsIgnored() {
        Icmpv6 real = Icmpv6.read(LinuxFrames.SOLICITATION).orElseThrow();
        byte[] forwarded = new Icmpv6(real.source(), real.destination(), 254, real.type(), 0, real.body())
                .frame(header(LinuxFrames.SOLICITATION));
        assertThat(receive(ofB, forwarded, 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 2})
    void anOptionOfAWrongLengthMakesAMessageInvalid(byte length) {
        Icmpv6 real = Icmpv6.read(LinuxFrames.SOLICITATION).orElseThrow();
        byte[] body = real.body();
        body[body.length - 7] = length;
        byte[] wrong = new Icmpv6(real.source(), real.destination(), 255, real.type(), 0, body)
                .frame(header(LinuxFrames.SOLICITATION));
        assertThat(receive(ofB, wrong, 0)).isEmpty();
    }

    @Test
    void aSolicitationWithoutSourceHasNoMacAddress() {
        byte[] probe =
                new Solicitation(PortAddress.unspecified(false), B6, Optional.of(MAC_A)).frame(MAC_A, Optional.empty());
        assertThat(receive(ofB, probe, 0)).isEmpty();
    }

    @Test
    void anAdvertisementToAllIsNotSolicited() {
        byte[] told = new Advertisement(B6, B6, Optional.of(MAC_B), true, true)
                .frame(MAC_B, MacAddress.parse("33:33:00:00:00:01"), NeighbourMessage.ALL_NODES);
        receive(ofA, told, 0);
        assertThat(ofA.known()).isZero();
    }
}
