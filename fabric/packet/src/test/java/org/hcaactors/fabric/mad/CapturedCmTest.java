// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.wire.Decoded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of communication management that Linux programs sent. */
class CapturedCmTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final PortAddress SERVER = PortAddress.ofIpv4(0x0A4D_0002);
    private static final PortAddress CLIENT = PortAddress.ofIpv4(0x0A4D_0003);

    private record Captured(Octets bytes, CmDatagram datagram) {}

    private static List<Captured> read(String capture) throws IOException {
        List<Captured> read = new ArrayList<>();
        try (DecodedFrames frames = DecodedFrames.open(CAPTURES.resolve(capture))) {
            for (Optional<DecodedFrame> next = frames.next(); next.isPresent(); next = frames.next()) {
                if (next.get().read().content() instanceof Decoded.Frame(var frame)
                        && frame.packet().bth().destQp() == CmDatagram.QP_NUMBER) {
                    Octets payload = frame.packet().payload();
                    assertThat(frame.packet().deth().qkey()).isEqualTo(CmDatagram.QKEY);
                    read.add(new Captured(payload, CmCodec.decode(payload).orElseThrow()));
                }
            }
        }
        return read;
    }

    // rules cm-mad, cm-messages
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rping.pcap | REQ REP RTU DREQ DREP",
                "cmatose.pcap | REQ REP RTU DREQ DREP",
                "cm_reject.pcap | REQ REJ",
                "rdma_client.pcap | REQ REP RTU DREQ DREQ DREP",
                "udaddy.pcap | SIDR_REQ SIDR_REP",
                "write_bw_cm.pcap | REQ REP RTU REQ REP RTU DREQ DREP DREQ DREP",
                "live/cm_rping.pcapng | REQ REP RTU DREQ DREP"
            })
    void eachCapturedMessageEncodesToItsBytes(String capture, String attributes) throws IOException {
        List<Captured> messages = read(capture);
        assertThat(messages)
                .extracting(each -> each.datagram().message().attribute().name())
                .containsExactly(attributes.split(" "));
        assertThat(messages)
                .allSatisfy(each -> assertThat(CmCodec.encode(each.datagram())).isEqualTo(each.bytes()));
    }

    // rules cm-messages, cm-ip-service, cm-ip-addresses
    /** The values are those that tshark prints, except for flow label and rate, which tshark 4.0 reads one byte too early. */
    @Test
    void theRequestOfRpingIsReadAsTsharkReadsIt() throws IOException {
        CmDatagram first = read("rping.pcap").getFirst().datagram();
        assertThat(first.transactionId()).isEqualTo(0x2_6A03_34F9L);
        ConnectRequest request = (ConnectRequest) first.message();
        assertThat(request.localCommId()).isEqualTo(0xF934_036A);
        assertThat(request.serviceId()).isEqualTo(IpService.serviceId(IpService.TCP, 7174));
        assertThat(request.caGuid()).isEqualTo(0x5054_00FF_FE77_0003L);
        assertThat(request.queuePair()).isEqualTo(new QueuePairOffer(0x28, 0, 0xC2_00FB, 0, 0, false, 0xFFFF, 3));
        assertThat(request.limits()).isEqualTo(new ConnectionLimits(1, 1, 7, 7, false));
        assertThat(request.remoteResponseTimeout()).isEqualTo(0x14);
        assertThat(request.localResponseTimeout()).isEqualTo(0x14);
        assertThat(request.maxRetries()).isEqualTo(15);
        assertThat(request.primary())
                .isEqualTo(new CmPath(0xFFFF, 0xFFFF, CLIENT, SERVER, 0x3_DF90, 0, 0, 64, 0, false, 0x13));
        assertThat(request.alternate()).isEqualTo(CmPath.NONE);
        assertThat(IpService.read(request.privateData())).contains(new IpService(41_782, CLIENT, SERVER));
    }

    // rules cm-messages, cm-reject-reasons
    @Test
    void aRejectionNamesItsReason() throws IOException {
        ConnectReject reject =
                (ConnectReject) read("cm_reject.pcap").getLast().datagram().message();
        assertThat(RejectReason.of(reject.reason())).contains(RejectReason.INVALID_SERVICE_ID);
        assertThat(reject.localCommId()).as("of an end that created none").isZero();
        assertThat(reject.of()).isZero();
    }

    // rule cm-messages
    @Test
    void answersHaveTheTransactionAndTheIdOfTheirRequest() throws IOException {
        for (String capture : List.of("rping.pcap", "cmatose.pcap", "cm_reject.pcap")) {
            List<Captured> messages = read(capture);
            CmDatagram request = messages.get(0).datagram();
            CmDatagram answer = messages.get(1).datagram();
            assertThat(answer.transactionId()).isEqualTo(request.transactionId());
            assertThat(((CmMessage.ToKnownPeer) answer.message()).remoteCommId())
                    .isEqualTo(((ConnectRequest) request.message()).localCommId());
        }
    }

    // rule cm-messages
    @Test
    void theReplyOfRpingHasItsQueuePair() throws IOException {
        ConnectReply reply = (ConnectReply) read("rping.pcap").get(1).datagram().message();
        assertThat(reply.qpNumber()).isEqualTo(40);
        assertThat(reply.startingPsn()).isEqualTo(499_910);
    }

    // rule cm-messages
    @Test
    void aServiceReplyHasTheQueuePairAndItsKey() throws IOException {
        ServiceReply reply =
                (ServiceReply) read("udaddy.pcap").getLast().datagram().message();
        assertThat(reply.status()).isZero();
        assertThat(reply.qpNumber()).isEqualTo(42);
        assertThat(reply.qkey()).isEqualTo(0x0123_4567);
        assertThat(HexFormat.of().toHexDigits(reply.serviceId())).startsWith("0000000001");
    }
}
