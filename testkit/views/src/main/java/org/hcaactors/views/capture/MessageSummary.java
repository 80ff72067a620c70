// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hcaactors.views.flow.Wording;

/**
 * Summary of a captured message.
 *
 * @param what kind, PSNs, length
 * @param frame frame of its first packet
 * @param answerFrame frame of the response that completed it
 * @param tookNanos time between these frames
 * @param sendingNanos time from its first packet to the last one that its requester sent before the response
 * @param isRefused true if the response is a NAK that ends the connection
 * @param because incidents in between, oldest first
 */
public record MessageSummary(
        String what,
        int frame,
        OptionalInt answerFrame,
        OptionalLong tookNanos,
        long sendingNanos,
        boolean isRefused,
        List<String> because) {
    static MessageSummary of(RequestMessage message) {
        return new MessageSummary(
                message.wording(),
                message.first().frame(),
                message.answer().map(answer -> OptionalInt.of(answer.frame())).orElse(OptionalInt.empty()),
                message.took().map(OptionalLong::of).orElse(OptionalLong.empty()),
                message.sendingTook(),
                message.isRefused(),
                CaptureSummary.sentences(message.incidents()));
    }

    /** Returns a sentence, and a line for each cause. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  " + what + ": " + end());
        because.forEach(cause -> lines.add("    because " + cause));
        return lines;
    }

    private String end() {
        if (answerFrame.isEmpty()) {
            return "sent in frame " + frame + ", and the capture contains no answer that completes it";
        }
        long took = tookNanos.orElse(0);
        return "%s %s us, frame %d to frame %d: its last packet was captured after %s us, its answer %s us later"
                .formatted(
                        isRefused ? "was refused after" : "took",
                        Wording.micros(took),
                        frame,
                        answerFrame.getAsInt(),
                        Wording.micros(sendingNanos),
                        Wording.micros(took - sendingNanos));
    }
}
