// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Communication management of Linux programs, compared with that of this project. */
class CmConformanceTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");

    private static List<CmConformance.Message> messages(String capture) throws IOException {
        return CapturedTraffic.read(CAPTURES.resolve(capture), false).management();
    }

    // rules cm-states, cm-timeouts, cm-disconnect, cm-services, cm-listen
    @ParameterizedTest
    @CsvSource({
        // messages, those that are equal, known differences
        "rping.pcap, 5, 5, 0",
        "cmatose.pcap, 5, 5, 0",
        "cm_reject.pcap, 2, 2, 0",
        "rdma_client.pcap, 6, 5, 2",
        "udaddy.pcap, 2, 2, 0",
        "write_bw_cm.pcap, 10, 10, 0",
        "live/cm_rping.pcapng, 5, 5, 0"
    })
    void eachMessageIsTheSameAsThatOfLinux(String capture, int count, int matched, int known) throws IOException {
        CmConformance.Report report = CmConformance.of(messages(capture));
        assertThat(report.mismatches()).isEmpty();
        assertThat(report.messages()).isEqualTo(count);
        assertThat(report.matched()).isEqualTo(matched);
        assertThat(report.known()).hasSize(known);
    }

    @Test
    void aFieldThatDiffersIsNamedWithItsFrame() throws IOException {
        List<CmConformance.Message> changed = new ArrayList<>(messages("rping.pcap"));
        CmConformance.Message second = changed.get(1);
        ConnectReply reply = (ConnectReply) second.datagram().message();
        CmMessage other = new ConnectReply(
                reply.localCommId(),
                reply.remoteCommId(),
                reply.qkey(),
                reply.qpNumber(),
                reply.startingPsn(),
                reply.responderResources(),
                reply.initiatorDepth(),
                reply.targetAckDelay(),
                2,
                reply.flowControl(),
                reply.rnrRetryCount(),
                reply.srq(),
                reply.caGuid(),
                reply.privateData());
        changed.set(
                1,
                new CmConformance.Message(
                        second.frame(),
                        second.nanos(),
                        second.from(),
                        second.to(),
                        new CmDatagram(second.datagram().transactionId(), other)));
        CmConformance.Report report = CmConformance.of(changed);
        assertThat(report.mismatches())
                .singleElement()
                .hasToString("frame 2: REP of 10.77.0.2: failover is 2 in the capture, and 0 here");
    }

    @Test
    void aMessageThatTheCaptureLacksIsAMismatch() throws IOException {
        List<CmConformance.Message> lacking = new ArrayList<>(messages("rping.pcap"));
        lacking.remove(1);
        assertThat(CmConformance.of(lacking).mismatches()).isNotEmpty();
    }

    private static final PortAddress CLIENT = PortAddress.ofIpv4(1);
    private static final PortAddress SERVER = PortAddress.ofIpv4(2);

    private final List<CmConformance.Message> made = new ArrayList<>();

    private void add(boolean byClient, long transaction, CmMessage message) {
        made.add(new CmConformance.Message(
                made.size() + 1,
                made.size() * 1_000L,
                byClient ? CLIENT : SERVER,
                byClient ? SERVER : CLIENT,
                new CmDatagram(transaction, message)));
    }

    private static Octets zeros(int length) {
        return Octets.copyOf(new byte[length]);
    }

    private void request(int commId, int qpNumber) {
        add(
                true,
                commId,
                new ConnectRequest(
                        commId,
                        0x0106_0001L,
                        5,
                        new QueuePairOffer(qpNumber, 0, 0, 0, 0, false, 0xFFFF, 5),
                        new ConnectionLimits(1, 1, 7, 7, false),
                        20,
                        20,
                        15,
                        CmPath.NONE,
                        CmPath.NONE,
                        zeros(92)));
    }

    private void reply(int commId, int to, int qpNumber) {
        add(false, to, new ConnectReply(commId, to, 0, qpNumber, 0, 1, 1, 0, 0, false, 7, false, 6, zeros(196)));
    }

    private void ready(int commId, int to) {
        add(true, commId, new ReadyToUse(commId, to, zeros(224)));
    }

    @Test
    void repliesBelongToTheirRequests() {
        request(11, 40);
        request(12, 41);
        reply(21, 11, 50);
        reply(22, 12, 51);
        ready(11, 21);
        ready(12, 22);
        assertThat(CmConformance.of(made).mismatches()).isEmpty();
    }

    @Test
    void aRepeatedAnswerRepeatsNothingElse() {
        request(11, 40);
        reply(21, 11, 50);
        ready(11, 21);
        request(13, 44);
        reply(21, 11, 50);
        ready(11, 21);
        reply(23, 13, 54);
        ready(13, 23);
        assertThat(CmConformance.of(made).mismatches()).isEmpty();
    }

    @Test
    void aProgramsRejectionIsRepeatedHere() {
        request(11, 40);
        add(false, 11, new ConnectReject(0, 11, 0, 28, Octets.NONE, zeros(148)));
        CmConformance.Report report = CmConformance.of(made);
        assertThat(report.mismatches()).isEmpty();
        assertThat(report.matched()).isEqualTo(2);
    }

    @Test
    void theIdOfASenderIsCompared() {
        request(11, 40);
        add(false, 11, new ConnectReject(77, 11, 0, 8, Octets.NONE, zeros(148)));
        assertThat(CmConformance.of(made).mismatches())
                .singleElement()
                .hasToString(
                        "frame 2: REJ of 0.0.0.2: the sender's ID is 0x0000004d in the capture, and 0x00000000 here");
    }

    @Test
    void theReportOfACaptureHasItsManagement() throws IOException {
        Conformance.Report report = Conformance.of(CAPTURES.resolve("cm_reject.pcap"));
        assertThat(report.management().matched()).isEqualTo(2);
        assertThat(report.isConclusive()).isTrue();
        assertThat(report.agrees()).isTrue();
        assertThat(report.outOfScope()).isEmpty();
    }
}
