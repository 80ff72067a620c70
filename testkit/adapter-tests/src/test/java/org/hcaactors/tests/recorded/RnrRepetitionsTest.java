// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Replay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Soft-RoCE sends an RNR NAK, and a NAK of the sequence for the packet behind; the captures are of {@code ib_send_bw -r 1}. */
class RnrRepetitionsTest {
    private static final int OUTSTANDING = 16;
    private static final int SENDS = 300;

    private static RecordedProgram program(RecordedWorld side, RecordedCable cable, int timeoutCode) {
        RecordedQueuePair ends = cable.queuePairs().getFirst();
        RcConnection terms = side.terms(ends).withTimeoutCode(timeoutCode);
        return new RecordedProgram(side, cable.recording(), ends, terms);
    }

    // rules rc-rnr-pair, wire-recorded-order
    @ParameterizedTest
    @ValueSource(ints = {OUTSTANDING, 4})
    void aSenderIsThroughAfterHundredsOfRnrNaks(int outstanding) {
        RecordedCable cable = RecordedWorld.capture("live/rnr_theirs.pcapng", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            RecordedProgram program = program(side, cable, 14);
            program.post(outstanding);
            side.complete();
            side.world.runFor(Duration.ofMillis(1));
            assertThat(program.done()).hasSize(SENDS).containsOnly(Status.SUCCESS);
        }
    }

    // rule rc-rnr-pair
    @Test
    void withoutATimeoutARefusedRequestIsSentAgain() {
        RecordedCable cable = RecordedWorld.capture("live/rnr_timeout0_hang.pcapng", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            RecordedProgram program = program(side, cable, 0);
            program.post(OUTSTANDING);
            side.complete();
            side.world.runFor(Duration.ofMillis(1));
            // Soft-RoCE refused the third SEND, and this side was silent then.
            assertThat(program.done()).hasSize(2).containsOnly(Status.SUCCESS);
            assertThat(((Replay.Complete) side.peer.replay()).counts().taken()).isGreaterThan(OUTSTANDING);
        }
    }
}
