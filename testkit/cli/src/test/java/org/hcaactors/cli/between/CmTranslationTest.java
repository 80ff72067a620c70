// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;

/** Addresses in messages of communication management. */
class CmTranslationTest {
    private static final long TCP_7174 = 0x0106_1C06L;
    private static final CmTranslation TRANSLATION =
            new CmTranslation(new Translation(address(3), address(6), address(5), address(4)));

    private static PortAddress address(int last) {
        return PortAddress.ofIpv4(0x7F00_0000 | last);
    }

    private static CmPath path(int local, int remote) {
        return new CmPath(0xFFFF, 0xFFFF, address(local), address(remote), 0x12345, 3, 7, 64, 2, true, 14);
    }

    private static Octets data(int source, int destination) {
        return new IpService(0x1234, address(source), address(destination)).with(Octets.copyOf(new byte[56]));
    }

    private static ConnectRequest request(long service, CmPath primary, CmPath alternate, Octets data) {
        return new ConnectRequest(
                1,
                service,
                2,
                new QueuePairOffer(0x1A, 0, 0x0A1B2C, 0, 0, false, 0xFFFF, 3),
                new ConnectionLimits(4, 5, 7, 7, true),
                20,
                20,
                15,
                primary,
                alternate,
                data);
    }

    private static Packet packet(CmMessage message) {
        Bth bth = Bth.of(
                Opcode.UD_SEND_ONLY, false, true, CmDatagram.BYTES, Bth.DEFAULT_PKEY, CmDatagram.QP_NUMBER, false, 7);
        return new Packet(
                new Route(address(3), address(5), 0, 64, 0, 4791),
                bth,
                List.of(new ExtendedHeader.Deth(CmDatagram.QKEY, 0, 1)),
                CmCodec.encode(new CmDatagram(99, message)));
    }

    private static CmMessage translated(CmMessage message) {
        Optional<CmDatagram> read = CmCodec.decode(TRANSLATION.of(packet(message)));
        assertThat(read).map(CmDatagram::transactionId).contains(99L);
        return read.orElseThrow().message();
    }

    @Test
    void gidsAndIpAddressesOfARequestAreReplaced() {
        ConnectRequest sent = request(TCP_7174, path(3, 5), CmPath.NONE, data(3, 5));
        assertThat(translated(sent)).isEqualTo(request(TCP_7174, path(6, 4), CmPath.NONE, data(6, 4)));
    }

    @Test
    void privateDataOfOtherServicesStay() {
        ConnectRequest sent = request(0x1000_0000_0000_0001L, path(3, 5), path(3, 5), data(3, 5));
        assertThat(translated(sent)).isEqualTo(request(0x1000_0000_0000_0001L, path(6, 4), path(6, 4), data(3, 5)));
    }

    @Test
    void addressesOfOthersStay() {
        ConnectRequest sent = request(TCP_7174, path(8, 9), CmPath.NONE, data(8, 9));
        Packet packet = packet(sent);
        assertThat(TRANSLATION.of(packet)).isSameAs(packet);
    }

    @Test
    void requestsForServicesAndAlternatePathsHaveAddressesToo() {
        Octets data = new IpService(7, address(3), address(5)).with(Octets.copyOf(new byte[180]));
        assertThat(((ServiceRequest) translated(new ServiceRequest(5, 0xFFFF, TCP_7174, data))).privateData())
                .isEqualTo(new IpService(7, address(6), address(4)).with(Octets.copyOf(new byte[180])));
        LoadAlternatePath alternate = new LoadAlternatePath(1, 2, 3, 4, path(3, 5), Octets.copyOf(new byte[168]));
        assertThat(((LoadAlternatePath) translated(alternate)).alternate()).isEqualTo(path(6, 4));
    }

    @Test
    void messagesWithoutAddressesAndOtherPacketsStay() {
        Packet ready = packet(new ReadyToUse(1, 2, Octets.copyOf(new byte[224])));
        assertThat(TRANSLATION.of(ready)).isSameAs(ready);
        Packet garbage = ready.withPayload(Octets.copyOf(new byte[256]));
        assertThat(TRANSLATION.of(garbage)).isSameAs(garbage);
    }
}
