// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

// rules cm-mad, cm-messages, cm-reject-reasons, cm-ip-service, cm-ip-addresses
/** Messages of communication management in words. */
class CmWordingTest {
    private static final Packet RTU = CmSamples.packet(new ReadyToUse(1, 2, Octets.NONE));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rping.pcap | REQ to TCP port 7174, qp40 psn 12714235; REP qp40 psn 499910; RTU; DREQ for qp40; DREP",
                "cmatose.pcap | REQ to TCP port 7471, qp41 psn 14751310; REP qp41 psn 247036; RTU; DREQ for qp41; DREP",
                "cm_reject.pcap"
                        + " | REQ to TCP port 7174, qp42 psn 2249787; REJ of REQ: nothing listens at the service ID (8)",
                "rdma_client.pcap | REQ to TCP port 7471, qp44 psn 9230728; REP qp43 psn 6128079; RTU;"
                        + " DREQ for qp43; DREQ for qp44; DREP",
                "udaddy.pcap | SIDR_REQ to UDP port 7174; SIDR_REP qp42 qkey 0x01234567",
                "write_bw_cm.pcap | REQ to TCP port 18515, qp38 psn 16137089; REP qp38 psn 425711; RTU;"
                        + " REQ to TCP port 18515, qp39 psn 6015756; REP qp39 psn 11056014; RTU;"
                        + " DREQ for qp39; DREP; DREQ for qp38; DREP",
                "live/cm_rping.pcapng | REQ to TCP port 7174, qp204 psn 10480003; REP qp17 psn 49374; RTU;"
                        + " DREQ for qp17; DREP"
            })
    void eachCapturedMessageIsNamedWithItsQueuePair(String capture, String words) throws IOException {
        assertThat(CmSamples.captured(capture)).map(Wording::of).containsExactly(words.split("; *"));
    }

    @Test
    void theFullWordingHasServiceAndCommunicationIds() throws IOException {
        assertThat(CmSamples.captured("rping.pcap"))
                .map(packet -> CmWording.inFull(packet).orElseThrow())
                .containsExactly(
                        "REQ to TCP port 7174 (service 0x0000000001061c06), qp40 psn 12714235, comm id 0xf934036a",
                        "REP qp40 psn 499910, comm id 0xf9a2dc33 to 0xf934036a",
                        "RTU, comm id 0xf934036a to 0xf9a2dc33",
                        "DREQ for qp40, comm id 0xf934036a to 0xf9a2dc33",
                        "DREP, comm id 0xf9a2dc33 to 0xf934036a");
        assertThat(CmWording.inFull(CmSamples.captured("cm_reject.pcap").getLast()))
                .as("by an end that has created no ID")
                .contains("REJ of REQ: nothing listens at the service ID (8), to comm id 0xff34036a");
        assertThat(CmWording.inFull(CmSamples.captured("udaddy.pcap").getFirst()))
                .contains("SIDR_REQ to UDP port 7174 (service 0x0000000001111c06), request id 0xfe34036a");
    }

    @Test
    void everyKindOfMessageHasWords() {
        assertThat(CmSamples.EACH_KIND)
                .map(message -> Wording.of(CmSamples.packet(message)))
                .containsExactly(
                        "REQ to TCP port 7174, XRC qp8388648 psn 12714235",
                        "REQ to IB port 7174, XRC qp8388648 psn 12714235",
                        "REQ to service 0x8000000001061c07, XRC qp8388648 psn 12714235",
                        "MRA of LAP: the answer takes up to 268435.456 us",
                        "REJ of REP: the program rejected it (28)",
                        "REP qp8388649 psn 16711681",
                        "RTU",
                        "DREQ for qp8388649",
                        "DREP",
                        "SIDR_REQ to UDP port 7174",
                        "SIDR_REP: no queue pair is available (3)",
                        "LAP for qp8388649: path 10.77.0.3 > fe80:0:0:0:1234:5678:9abc:def0",
                        "APR: the GID is invalid (8)");
    }

    @Test
    void aRejectionOfAnotherMessageWithAnUnknownReasonHasWords() {
        Packet reject = CmSamples.packet(new ConnectReject(1, 2, 2, 99, Octets.NONE, Octets.NONE));
        assertThat(CmWording.inFull(reject)).contains("REJ: unknown (99), comm id 0x00000001 to 0x00000002");
    }

    @Test
    void onlyDatagramsBetweenQueuePairsOneAreMessages() {
        Octets message = RTU.payload();
        assertThat(CmCodec.decode(RTU)).isPresent();
        assertThat(List.of(
                        CmSamples.packet(17, CmDatagram.QKEY, message),
                        CmSamples.packet(CmDatagram.QP_NUMBER, 17, message),
                        CmSamples.packet(CmDatagram.QP_NUMBER, CmDatagram.QKEY, message.slice(0, 255))))
                .allSatisfy(packet -> {
                    assertThat(CmCodec.decode(packet)).isEmpty();
                    assertThat(Wording.of(packet)).startsWith("SEND_ONLY psn 6 from qp 1 25");
                });
    }

    @Test
    void onlyRequestsToIpPortsHaveAddresses() throws IOException {
        assertThat(CmPayload.addresses(
                        CmCodec.decode(CmSamples.captured("udaddy.pcap").getFirst())
                                .orElseThrow()
                                .message()))
                .contains(new IpService(0x96F0, PortAddress.ofIpv4(0x0A4D_0003), PortAddress.ofIpv4(0x0A4D_0002)));
        assertThat(CmSamples.EACH_KIND)
                .filteredOn(message -> CmPayload.addresses(message).isPresent())
                .map(message -> message.attribute().name())
                .containsExactly("REQ", "REQ", "SIDR_REQ");
    }

    @Test
    void diagramsNameMessages() throws IOException {
        List<TraceEvent> run = CmSamples.run("rping.pcap");
        for (String text : List.of(String.join("\n", Ladder.of(run)), Mermaid.of(run), PlantUml.of(run))) {
            assertThat(text)
                    .containsSubsequence(
                            "REQ to TCP port 7174, qp40 psn 12714235", "REP qp40 psn 499910", "RTU", "DREQ", "DREP");
        }
        assertThat(Journeys.of(run))
                .first()
                .extracting(Journey::toString)
                .asString()
                .contains("REQ to TCP port");
    }

    @Test
    void aCutDatagramIsNoMessage() {
        assertThat(CmWording.of(RTU.withPayload(Octets.NONE))).isEqualTo(Optional.empty());
    }
}
