// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.capture.MadeCapture.ack;
import static org.hcaactors.lab.capture.MadeCapture.answer;
import static org.hcaactors.lab.capture.MadeCapture.request;
import static org.hcaactors.lab.capture.MadeCapture.to;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAckEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.views.capture.CaptureSummary;
import org.hcaactors.views.capture.CapturedRun;
import org.hcaactors.views.capture.ExchangeSummary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Summaries of unusual captures. */
class CaptureSummaryTest {
    private static final Packet READ = request(Opcode.RC_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2048));
    private static final Packet SEND = request(Opcode.RC_SEND_ONLY, 12, 64);

    @TempDir
    Path folder;

    private static Packet response(Opcode opcode, int psn) {
        return opcode == Opcode.RC_READ_RESPONSE_MIDDLE
                ? answer(opcode, psn, 1024)
                : answer(opcode, psn, 1024, new Aeth(Syndrome.ACK, 1));
    }

    private ExchangeSummary told(MadeCapture capture) throws IOException {
        return CaptureSummary.read(capture.in(folder)).exchanges().getFirst();
    }

    @Test
    void aCountOfOneIsWrittenInTheSingular() throws IOException {
        Packet marked = request(Opcode.CNP, 0, 16);
        assertThat(CaptureSummary.read(MadeCapture.whole()
                                .sees(SEND, ack(12, 1), marked)
                                .in(folder))
                        .lines())
                .contains("3 packets, 1 queue pair that received requests")
                .contains("RC 10.0.0.1 > 10.0.0.2 qp17 (0x000011): 1 message in 1 packet, 1 answer")
                .contains(
                        "\n1 congestion notification: a switch had marked packets, and the receiver of the notification must"
                                + " reduce its rate");
    }

    // rule rc-implied-nak
    @Test
    void anAckAfterAReadDoesNotAnswerIt() throws IOException {
        Packet first = response(Opcode.RC_READ_RESPONSE_FIRST, 10);
        ExchangeSummary told = told(MadeCapture.whole().sees(READ, SEND, first, ack(12, 2)));
        assertThat(told.troubled()).singleElement().satisfies(read -> {
            assertThat(read.what()).isEqualTo("READ psn 10 to 11, 2048 B");
            assertThat(read.answerFrame()).isEmpty();
        });
    }

    // rule rc-implied-nak
    @Test
    void anAcknowledgementBehindAnAtomicDoesNotAnswerIt() throws IOException {
        Packet atomic = request(Opcode.RC_FETCH_ADD, 11, 0, new AtomicEth(0x1000, 7, 1, 0));
        ExchangeSummary told = told(MadeCapture.whole().sees(atomic, SEND, ack(12, 2)));
        assertThat(told.troubled())
                .singleElement()
                .satisfies(one -> assertThat(one.what()).isEqualTo("ATOMIC psn 11"));
    }

    @Test
    void aPacketCapturedAfterItsLastOneIsOfTheSameMessage() throws IOException {
        Packet first = request(Opcode.RC_WRITE_FIRST, 10, 1024, new Reth(0x1000, 7, 3072));
        ExchangeSummary told = told(MadeCapture.whole()
                .sees(
                        first,
                        request(Opcode.RC_WRITE_LAST, 12, 1024),
                        request(Opcode.RC_WRITE_MIDDLE, 11, 1024),
                        ack(12, 1)));
        assertThat(told.messages()).isEqualTo(1);
        assertThat(told.troubled())
                .singleElement()
                .satisfies(one -> assertThat(one.what()).isEqualTo("WRITE psn 10 to 12, 3072 B"));
    }

    @Test
    void aReadIsAnsweredByItsLastResponse() throws IOException {
        Packet atomic = request(Opcode.RC_FETCH_ADD, 12, 0, new AtomicEth(0x1000, 7, 1, 0));
        ExchangeSummary told = told(MadeCapture.whole()
                .sees(
                        READ,
                        atomic,
                        response(Opcode.RC_READ_RESPONSE_FIRST, 10),
                        response(Opcode.RC_READ_RESPONSE_LAST, 11),
                        answer(Opcode.RC_ATOMIC_ACKNOWLEDGE, 12, 0, new Aeth(Syndrome.ACK, 2), new AtomicAckEth(3))));
        assertThat(told.troubled()).isEmpty();
        assertThat(told.slowest())
                .hasValueSatisfying(read -> assertThat(read.answerFrame()).hasValue(4));
    }

    @Test
    void anAckDoesNotAnswerARepeatedRead() throws IOException {
        ExchangeSummary told = told(MadeCapture.whole().sees(READ, SEND, ack(12, 2), READ));
        assertThat(told.troubled().getFirst().because())
                .singleElement()
                .asString()
                .contains("no answer to it was captured, so its timer expired");
    }

    /** The RETH is cut off, so only the responses say how far a READ reaches. */
    @Test
    void aReadOfUnknownLengthExtendsToItsResponses() throws IOException {
        ExchangeSummary told = told(MadeCapture.snapped(60)
                .sees(
                        READ,
                        SEND,
                        response(Opcode.RC_READ_RESPONSE_FIRST, 10),
                        response(Opcode.RC_READ_RESPONSE_LAST, 11),
                        ack(12, 2)));
        assertThat(told.troubled()).isEmpty();
        assertThat(told.slowest())
                .hasValueSatisfying(slowest -> assertThat(slowest.answerFrame()).hasValue(4));
    }

    /** 60,000 packets of which each claims 60,000 bytes would be 3.6 GB. */
    @Tag("judge")
    @Test
    void payloadsClaimedByHeadersTakeNoMemory() throws IOException {
        byte[] frame = FrameEncoder.encode(request(Opcode.RC_SEND_ONLY, 12, 60_000));
        int lastOfPsn = frame.length - 60_000 - 4 - 1;
        MadeCapture capture = MadeCapture.snapped(80);
        for (int i = 0; i < 60_000; i++) {
            frame[lastOfPsn] = (byte) i;
            capture.frame(frame, frame.length);
        }
        Path file = capture.in(folder);
        assertThat(CaptureSummary.read(file).packets()).isEqualTo(60_000);
        assertThat(CapturedRun.read(file).run().events()).hasSize(60_000);
    }

    @Test
    void aTruncatedPayloadIsDrawnWithItsLength() throws IOException {
        Path file = MadeCapture.snapped(80)
                .sees(request(Opcode.RC_SEND_ONLY, 12, 1024))
                .in(folder);
        assertThat(CapturedRun.read(file).run().events())
                .filteredOn(FabricEvent.Sent.class::isInstance)
                .singleElement()
                .satisfies(sent -> assertThat(
                                ((FabricEvent.Sent) sent).packet().payload().length())
                        .isEqualTo(1024));
    }

    /** Each of 30,000 queue pairs asks under the number that each of 30,000 others is answered under. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void streamsAreComparedWithFewOthers() throws IOException {
        MadeCapture capture = MadeCapture.whole();
        for (int qp = 0; qp < 30_000; qp++) {
            capture.sees(to(0x1000 + qp, request(Opcode.RC_SEND_ONLY, qp, 4)), to(0x10_0000 + qp, ack(qp + 1, 1)));
        }
        assertThat(CaptureSummary.read(capture.in(folder)).exchanges()).hasSize(30_000);
    }

    /** Of a hundred that begin alike, each is answered before the next one asks. */
    @Test
    void aHundredQueuePairsWithEqualPsnsFindTheirAnswers() throws IOException {
        MadeCapture capture = MadeCapture.whole();
        for (int qp = 0; qp < 100; qp++) {
            capture.sees(to(0x1000 + qp, SEND), to(0x2000 + qp, ack(12, 1)));
        }
        List<ExchangeSummary> told = CaptureSummary.read(capture.in(folder)).exchanges();
        assertThat(told)
                .hasSize(100)
                .allSatisfy(one -> assertThat(one.answers()).isEqualTo(1));
    }
}
