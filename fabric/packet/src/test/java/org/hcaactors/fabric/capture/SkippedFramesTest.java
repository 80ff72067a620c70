// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;

/** Counts of skipped frames by reason. */
class SkippedFramesTest {
    private final SkippedFrames leftOut = new SkippedFrames();

    @Test
    void eachReasonIsCountedInTheWordsOfItsFrame() {
        leftOut.count(new Decoded.NotRoce("link type 105"));
        leftOut.count(new Decoded.NotRoce("link type 105"));
        leftOut.count(new Decoded.Malformed(Problem.TRUNCATED, "captured 6 bytes"));
        leftOut.count("XRC");
        assertThat(leftOut.byReason())
                .containsEntry("not RoCE: link type 105", 2)
                .containsEntry("malformed, TRUNCATED: captured 6 bytes", 1)
                .containsEntry("XRC", 1)
                .hasSize(3);
    }

    @Test
    void behindTheMostReasonsOnlyTheKindIsCounted() {
        for (int port = 0; port < SkippedFrames.MAX_REASONS + 5; port++) {
            leftOut.count(new Decoded.NotRoce("UDP port " + port));
        }
        leftOut.count(new Decoded.NotRoce("UDP port 0"));
        leftOut.count(new Decoded.Malformed(Problem.BAD_LENGTH, "3 bytes"));
        assertThat(leftOut.byReason())
                .containsEntry("not RoCE: UDP port 0", 2)
                .containsEntry("not RoCE: other reasons", 5)
                .containsEntry("malformed, BAD_LENGTH: other reasons", 1)
                .hasSize(SkippedFrames.MAX_REASONS + 2);
    }
}
