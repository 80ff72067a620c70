// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.Wording;

/** Builder of the comparison of one capture. */
final class ComparisonBuilder {
    private int answers;
    private int requests;
    private int completions;
    private int matched;
    private final Map<TakenFromCapture, Integer> takenFromCapture = new EnumMap<>(TakenFromCapture.class);
    private final Map<Difference, Integer> differences = new EnumMap<>(Difference.class);
    private final Map<Difference, Integer> lacking = new EnumMap<>(Difference.class);
    private final List<Mismatch> mismatches = new ArrayList<>();
    private final Map<NotCompared, Integer> notCompared = new EnumMap<>(NotCompared.class);
    private final ComparisonLimits effort;

    /** @param effort limits for the whole capture */
    ComparisonBuilder(ComparisonLimits effort) {
        this.effort = effort;
    }

    ComparisonLimits effort() {
        return effort;
    }

    /** Counts captured packets that are not compared. */
    void leaves(NotCompared reason, int packets) {
        if (packets > 0) {
            notCompared.merge(reason, packets, Integer::sum);
        }
    }

    /** Counts a captured response as not compared. */
    void leavesAnswer() {
        answers--;
        leaves(NotCompared.EFFORT, 1);
    }

    /** Counts a captured request as not compared. */
    void leavesRequest(NotCompared reason) {
        requests--;
        leaves(reason, 1);
    }

    Map<NotCompared, Integer> notCompared() {
        return Map.copyOf(notCompared);
    }

    /** Counts a captured response that is compared. */
    void answer() {
        answers++;
    }

    /** Counts a captured request that is compared. */
    void request() {
        requests++;
    }

    /** Counts a completion that is compared. */
    void completion() {
        completions++;
    }

    void matched() {
        matched++;
    }

    void takenFromCapture(TakenFromCapture what) {
        takenFromCapture.merge(what, 1, Integer::sum);
    }

    void differs(Difference known) {
        differences.merge(known, 1, Integer::sum);
    }

    /**
     * Counts a packet with a wrong ICRC, which its receiver drops.
     *
     * @param missed the loss had an effect in the capture, or need not have had one
     */
    void badIcrc(CapturedPacket packet, boolean missed) {
        if (missed) {
            differs(Difference.BAD_ICRC);
        } else {
            mismatch(
                    packet.frame(),
                    "a wrong ICRC",
                    "the receiver would drop this packet, but the capture contains no retransmission",
                    new FieldDifference("ICRC", "wrong", "right"));
        }
    }

    /** Counts a packet of the machine that the capture lacks, for a known reason. */
    void lacks(Difference known) {
        lacking.merge(known, 1, Integer::sum);
    }

    void mismatch(int frame, String captured, String ours, FieldDifference field) {
        mismatch(frame, captured, ours, List.of(field));
    }

    void mismatch(int frame, String captured, String ours, List<FieldDifference> fields) {
        mismatches.add(new Mismatch(frame, captured, ours, fields));
    }

    /** Adds a mismatch of an item that exists on one side only. */
    void oneSided(int frame, String field, String captured, String ours) {
        mismatch(frame, captured, ours, new FieldDifference(field, captured, ours));
    }

    /**
     * Adds a mismatch of a packet that equals no packet of the machine.
     *
     * @param what {@code request} or {@code answer}
     * @param ours packets that the machine has sent and the capture lacks so far
     * @param state of the machine
     * @param msnOffset captured MSN minus the machine's MSN
     */
    void mismatch(CapturedPacket captured, String what, List<Packet> ours, QpState state, int msnOffset) {
        String unusual = state == QpState.RTS ? "" : ", in " + state;
        String capturedText = Wording.of(captured.packet());
        effort.takes((long) ComparisonLimits.CONTRAST * ours.size());
        PacketDiff.nearest(captured.packet(), ours, msnOffset)
                .ifPresentOrElse(
                        nearest -> mismatch(
                                captured.frame(),
                                capturedText,
                                Wording.of(nearest) + unusual,
                                PacketDiff.between(captured.packet(), nearest, msnOffset)),
                        () -> mismatch(
                                captured.frame(),
                                capturedText,
                                "no " + what + unusual,
                                new FieldDifference(what, capturedText, FieldDifference.NONE)));
    }

    Comparison verdict() {
        return new Comparison(
                answers, requests, completions, matched, takenFromCapture, differences, lacking, mismatches);
    }
}
