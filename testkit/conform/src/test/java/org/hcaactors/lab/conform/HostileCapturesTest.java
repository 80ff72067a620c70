// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.capture.MadeCapture.ack;
import static org.hcaactors.lab.capture.MadeCapture.answer;
import static org.hcaactors.lab.capture.MadeCapture.request;
import static org.hcaactors.lab.capture.MadeCapture.to;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.capture.MadeCapture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Long captures are compared to a limit with a name in bounded time, and the rest is reported as not compared. */
@Tag("nightly")
class HostileCapturesTest {
    private static final int PAIRS = 1 << 15;

    /** Where a limit is met soon. */
    private static final int FEWER = 1 << 12;

    private static final long MAX_NANOS = 20_000_000_000L;
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    Path folder;

    private record Judged(int packets, Comparison verdict, Map<String, Integer> left) {
        /** Each is judged as what it is, or told. */
        void accountsForAll() {
            int told = left.values().stream().mapToInt(Integer::intValue).sum();
            assertThat(verdict.answers() + verdict.requests() + told).isGreaterThanOrEqualTo(packets);
        }
    }

    private Judged judged(int count, IntFunction<Packet[]> packets) throws IOException {
        MadeCapture capture = MadeCapture.whole();
        for (int i = 0; i < count; i++) {
            capture.sees(packets.apply(i));
        }
        return judged(capture.in(folder));
    }

    private static Judged judged(Path file) throws IOException {
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Conformance.Report report = Conformance.of(file);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
        assertThat(took).as("nanoseconds").isLessThan(MAX_NANOS);
        return new Judged(report.packets(), report.verdict(), report.outOfScope());
    }

    private static Packet[] both(Packet request, Packet answer) {
        return new Packet[] {request, answer};
    }

    private static Packet send(int psn) {
        return request(Opcode.RC_SEND_ONLY, psn & Psn.MASK, 8);
    }

    private static Packet acked(int psn, int msn) {
        return ack(psn & Psn.MASK, msn & Psn.MASK);
    }

    private static Packet nak(int psn, int msn) {
        return answer(Opcode.RC_ACKNOWLEDGE, psn, 0, new Aeth(Syndrome.NAK_PSN_SEQUENCE, msn & Psn.MASK));
    }

    private static Packet read(int psn, int bytes) {
        return request(Opcode.RC_READ_REQUEST, psn & Psn.MASK, 0, new Reth(0x1000, 7, bytes));
    }

    private static Packet response(int psn) {
        return answer(Opcode.RC_READ_RESPONSE_FIRST, psn & Psn.MASK, 256, new Aeth(Syndrome.ACK, 1));
    }

    @Test
    void anOrdinaryLongCaptureIsComparedToItsEnd() throws IOException {
        Judged judged = judged(PAIRS, i -> both(send(0xFF_F000 + i), acked(0xFF_F000 + i, i + 1)));
        assertThat(judged.left).isEmpty();
        assertThat(judged.verdict.matched()).isEqualTo(judged.verdict.compared());
        assertThat(judged.verdict.compared()).isEqualTo(3 * PAIRS);
    }

    @Test
    void packetsBeyondTheMaximumAreReported() throws IOException {
        Judged judged = judged(PAIRS + 10, i -> both(send(i), acked(i, i + 1)));
        assertThat(judged.left).containsEntry("packets beyond the maximum of 65536", 20);
    }

    /** A mirror of one direction. */
    @Test
    void requestsWithoutAnswersAreComparedUpToTheWindow() throws IOException {
        Judged judged = judged(PAIRS, i -> new Packet[] {send(i)});
        assertThat(judged.verdict.mismatches()).isEmpty();
        assertThat(judged.verdict.matched()).isEqualTo(4096);
        assertThat(judged.left).containsEntry(NotCompared.WINDOW.what, PAIRS - 4096);
    }

    @Test
    void repeatedNaksAreComparedUpToALimit() throws IOException {
        Judged judged = judged(2 * FEWER, i -> both(send(i), nak(3, i)));
        assertThat(judged.left).containsKey(NotCompared.EFFORT.what);
        judged.accountsForAll();
    }

    @Test
    void longReadsThatOverlapAreJudgedToALimit() throws IOException {
        Judged judged = judged(FEWER, i -> both(read(i * 256, 63 * MEBIBYTE), response(i * 256)));
        assertThat(judged.left).containsKey(NotCompared.EFFORT.what);
        judged.accountsForAll();
    }

    @Test
    void readsOfTwoGibibytesAreReported() throws IOException {
        Judged judged = judged(100, i -> both(read(i * 256, Integer.MAX_VALUE), response(i * 256)));
        assertThat(judged.left).containsEntry(NotCompared.LONG.what, 100).containsEntry(NotCompared.MEMORY.what, 100);
        assertThat(judged.verdict.mismatches()).isEmpty();
    }

    @Test
    void distantMemoryAccessesAreReportedAndNoMismatch() throws IOException {
        Judged judged = judged(
                100,
                i -> both(
                        request(Opcode.RC_WRITE_ONLY, i, 8, new Reth((long) i * 2 * MEBIBYTE, 7, 8)), acked(i, i + 1)));
        assertThat(judged.verdict.mismatches()).isEmpty();
        assertThat(judged.left).containsEntry(NotCompared.MEMORY.what, 100);
        assertThat(judged.verdict.requests()).isEqualTo(100);
    }

    @Test
    void gapsOfFourThousandPsnsAreComparedUpToALimit() throws IOException {
        Judged judged = judged(FEWER, i -> both(send(i * 4000), acked(i * 4000, i + 1)));
        assertThat(judged.left).containsKey(NotCompared.FAR.what);
        judged.accountsForAll();
    }

    @Test
    void asManyQueuePairsAsPacketsAreCompared() throws IOException {
        Judged judged = judged(2 * FEWER, i -> both(to(100 + i, send(i * 37)), to(100 + i, acked(i * 37, 1))));
        assertThat(judged.left).isEmpty();
        assertThat(judged.verdict.mismatches()).isEmpty();
    }

    /** Any answer may be to any of them. */
    @Test
    void queuePairsWithEqualFirstPsnsAreNoMismatch() throws IOException {
        Judged judged = judged(FEWER, i -> both(to(100 + i, send(0)), to(100 + i, acked(0, 1))));
        assertThat(judged.verdict.mismatches()).isEmpty();
        assertThat(judged.left).containsKey(NotCompared.PARTNER.what);
    }

    @Test
    void atomicsOfManyQueuePairsOnOneHostAreJudged() throws IOException {
        Judged judged = judged(FEWER, i -> new Packet[] {
            to(100 + i, request(Opcode.RC_FETCH_ADD, i, 0, new AtomicEth(0x1000 + 8 * (i % 64), 7, 1, 0)))
        });
        assertThat(judged.verdict.mismatches()).isEmpty();
    }

    @Test
    void malformedNotesNextToACaptureAreNoFailure() throws IOException {
        Path file = MadeCapture.whole().sees(send(1), acked(1, 1)).in(folder);
        Path notes = folder.resolve("made.txt");
        Files.writeString(notes, """
                # server (x 999.999.999.999)
                --- server output
                local qpn=0xfffffffff psn=0x1 rkey=0x1 addr=0x1 |
                  local address:  LID 0x0000, QPN 0xg, PSN 0x1
                wc wr_id=99999999999999999999 status=99999999999(x) vend=0
                """);
        assertThat(judged(file).verdict.mismatches()).isEmpty();
        Files.write(notes, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
        assertThat(judged(file).verdict.mismatches()).isEmpty();
        Files.write(notes, new byte[(1 << 24) + 1]);
        assertThatThrownBy(() -> judged(file))
                .isInstanceOf(CaptureFormatException.class)
                .hasMessageContaining("made.txt, has 16777217 bytes; at most 16777216 are allowed");
    }

    @Test
    void duplicatesAloneAreComparedInBoundedTime() throws IOException {
        judged(FEWER, i -> both(send(7), acked(7, 1))).accountsForAll();
        judged(FEWER, i -> new Packet[] {send(i % 2000)}).accountsForAll();
    }

    @Test
    void randomPsnsAreComparedInBoundedTime() throws IOException {
        Random random = new Random(1);
        judged(FEWER, i -> both(send(random.nextInt(FEWER)), acked(random.nextInt(FEWER), random.nextInt(FEWER))))
                .accountsForAll();
        judged(FEWER, i -> both(read(random.nextInt(FEWER), random.nextInt(1 << 24)), response(random.nextInt(FEWER))))
                .accountsForAll();
    }
}
