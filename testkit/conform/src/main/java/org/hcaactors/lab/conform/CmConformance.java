// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Comparison of the project's communication management with the messages of a capture. For each captured end an agent of this
 * project takes its place: it receives what the end received, its program decides as the end's did, and what it sends is
 * compared with what the end sent. When a message was sent is not compared: it depends on the end's program.
 */
public final class CmConformance {
    /** @param nanos time of capture */
    record Message(int frame, long nanos, PortAddress from, PortAddress to, CmDatagram datagram) {}

    /**
     * A field that differs.
     *
     * @param frame number of the captured message; 0 if the end sent none
     */
    public record Mismatch(int frame, String message, String field, String captured, String ours) {
        @Override
        public String toString() {
            return (frame == 0 ? "" : "frame " + frame + ": ") + message + ": " + field + " is " + captured
                    + " in the capture, and " + ours + " here";
        }
    }

    /**
     * Result of a comparison.
     *
     * @param messages captured messages, each compared once
     * @param matched those that are equal
     * @param known differences that a choice of this project explains
     */
    public record Report(int messages, int matched, List<String> known, List<Mismatch> mismatches) {
        public Report {
            known = List.copyOf(known);
            mismatches = List.copyOf(mismatches);
        }
    }

    private CmConformance() {}

    static Report of(List<Message> messages) {
        Set<PortAddress> ends = new LinkedHashSet<>();
        messages.forEach(each -> ends.add(each.from));
        int matched = 0;
        List<String> known = new ArrayList<>();
        List<Mismatch> mismatches = new ArrayList<>();
        for (PortAddress end : ends) {
            CmReplay replay = new CmReplay(end, messages);
            replay.play();
            matched += replay.matched();
            known.addAll(replay.known());
            mismatches.addAll(replay.mismatches());
        }
        return new Report(messages.size(), matched, known, mismatches);
    }
}
