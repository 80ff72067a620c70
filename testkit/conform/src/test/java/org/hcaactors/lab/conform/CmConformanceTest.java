// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
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

    @Test
    void theReportOfACaptureHasItsManagement() throws IOException {
        Conformance.Report report = Conformance.of(CAPTURES.resolve("cm_reject.pcap"));
        assertThat(report.management().matched()).isEqualTo(2);
        assertThat(report.isConclusive()).isTrue();
        assertThat(report.agrees()).isTrue();
        assertThat(report.outOfScope()).isEmpty();
    }
}
