// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.hcaactors.lab.conform.Conformance.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures that begin late, lack packets, or hold one direction only. */
class PartialCaptureTest {
    /** Eleven messages of one to three packets, each acknowledged; frames 17 and 18 are one of two packets, 19 its ACK. */
    private static final Path SENDS = Path.of("../../fabric/packet/src/test/resources/captures/op_send_sizes.pcap");

    @TempDir
    Path folder;

    private Report judge(IntPredicate frames) throws IOException {
        return Conformance.of(new ChangedCapture(SENDS).only(frames, folder));
    }

    @Test
    void aCaptureFromWithinAConnectionIsComparedFromThere() throws IOException {
        Comparison verdict = judge(frame -> frame >= 5).verdict();
        assertThat(verdict.matched()).isEqualTo(verdict.compared());
        assertThat(verdict.takenFromCapture()).containsEntry(TakenFromCapture.FIRST_MSN, 1);
    }

    @Test
    void aCaptureFromWithinAMessageIsComparedFromTheNextOne() throws IOException {
        Comparison verdict = judge(frame -> frame >= 18).verdict();
        assertThat(verdict.mismatches()).isEmpty();
        assertThat(verdict.differences())
                .containsEntry(Difference.IN_PART, 1)
                .containsEntry(Difference.BEGUN_BEFORE, 1)
                .hasSize(2);
        assertThat(verdict.matched()).isEqualTo(verdict.compared() - 2);
    }

    @Test
    void anAnswerToAnEarlierRequestIsNoMismatch() throws IOException {
        Comparison verdict = judge(frame -> frame >= 4).verdict();
        assertThat(verdict.mismatches()).isEmpty();
        assertThat(verdict.differences()).containsOnlyKeys(Difference.BEGUN_BEFORE);
    }

    @Test
    void aMissingRequestIsOneMismatchAndTheRestIsCompared() throws IOException {
        Comparison verdict = judge(frame -> frame != 9).verdict();
        assertThat(verdict.mismatches()).singleElement().satisfies(mismatch -> {
            assertThat(mismatch.frame()).isEqualTo(9);
            assertThat(mismatch.ours()).isEqualTo("the capture contains no request with psn 12648452");
        });
        assertThat(verdict.matched()).isEqualTo(verdict.compared() - 1);
    }

    @Test
    void answersWithoutAnyRequestsAreNotJudged() throws IOException {
        Set<Integer> answers = CapturedTraffic.read(SENDS, true).packets().stream()
                .filter(CapturedPacket::isResponse)
                .map(CapturedPacket::frame)
                .collect(Collectors.toSet());
        Report report = judge(answers::contains);
        assertThat(report.verdict().compared()).isZero();
        assertThat(report.outOfScope()).containsEntry("answers whose requests were not captured", answers.size());
    }

    @Test
    void requestsWithoutAnyAnswersAreJudgedAsRequests() throws IOException {
        Set<Integer> requests = CapturedTraffic.read(SENDS, true).packets().stream()
                .filter(packet -> !packet.isResponse())
                .map(CapturedPacket::frame)
                .collect(Collectors.toSet());
        Comparison verdict = judge(requests::contains).verdict();
        assertThat(verdict.answers()).isZero();
        assertThat(verdict.requests()).isEqualTo(requests.size());
        assertThat(verdict.matched()).isEqualTo(verdict.compared());
    }
}
