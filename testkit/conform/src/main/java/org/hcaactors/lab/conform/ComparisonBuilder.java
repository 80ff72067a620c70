// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.Wording;

/** What the comparison of one capture comes to, while it is made. */
final class ComparisonBuilder {
    private int answers;
    private int requests;
    private int completions;
    private int matched;
    private final Map<TakenFromCapture, Integer> given = new EnumMap<>(TakenFromCapture.class);
    private final Map<Difference, Integer> differences = new EnumMap<>(Difference.class);
    private final Map<Difference, Integer> lacking = new EnumMap<>(Difference.class);
    private final List<Mismatch> mismatches = new ArrayList<>();
    private final Map<NotCompared, Integer> notCompared = new EnumMap<>(NotCompared.class);
    private final ComparisonLimits effort;

    /** @param effort of the capture */
    ComparisonBuilder(ComparisonLimits effort) {
        this.effort = effort;
    }

    ComparisonLimits effort() {
        return effort;
    }

    /** Captured packets are not judged. */
    void leaves(NotCompared reason, int packets) {
        if (packets > 0) {
            notCompared.merge(reason, packets, Integer::sum);
        }
    }

    /** A captured answer that was to be judged is not. */
    void leavesAnswer() {
        answers--;
        leaves(NotCompared.EFFORT, 1);
    }

    /** A captured request that was to be judged is not. */
    void leavesRequest(NotCompared reason) {
        requests--;
        leaves(reason, 1);
    }

    Map<NotCompared, Integer> notCompared() {
        return Map.copyOf(notCompared);
    }

    /** A captured answer is judged. */
    void answer() {
        answers++;
    }

    /** A captured request is judged. */
    void request() {
        requests++;
    }

    /** A message's end is judged. */
    void completion() {
        completions++;
    }

    void matched() {
        matched++;
    }

    void given(TakenFromCapture what) {
        given.merge(what, 1, Integer::sum);
    }

    void differs(Difference known) {
        differences.merge(known, 1, Integer::sum);
    }

    /**
     * A packet whose ICRC is wrong is lost.
     *
     * @param missed somebody has missed it, or nobody could tell
     */
    void badIcrc(CapturedPacket packet, boolean missed) {
        if (missed) {
            differs(Difference.BAD_ICRC);
        } else {
            mismatch(
                    packet.frame(),
                    "a wrong ICRC",
                    "the packet would be lost, and nothing was sent again",
                    new FieldDifference("ICRC", "wrong", "right"));
        }
    }

    /** The capture lacks something that our machine did, for a known reason. */
    void lacks(Difference known) {
        lacking.merge(known, 1, Integer::sum);
    }

    void mismatch(int frame, String captured, String ours, FieldDifference field) {
        mismatch(frame, captured, ours, List.of(field));
    }

    void mismatch(int frame, String captured, String ours, List<FieldDifference> fields) {
        mismatches.add(new Mismatch(frame, captured, ours, fields));
    }

    /** Something was captured and our machine has nothing of the kind, or the reverse. */
    void oneSided(int frame, String field, String captured, String ours) {
        mismatch(frame, captured, ours, new FieldDifference(field, captured, ours));
    }

    /**
     * A packet to which none of ours is equal.
     *
     * @param what {@code request} or {@code answer}
     * @param ours of what our machine has sent and the capture lacks so far
     * @param state of our machine
     * @param msnOffset what the captured message sequence numbers are ahead of ours
     */
    void mismatch(CapturedPacket captured, String what, List<Packet> ours, QpState state, int msnOffset) {
        String unusual = state == QpState.RTS ? "" : ", in " + state;
        String there = Wording.of(captured.packet());
        effort.takes((long) ComparisonLimits.CONTRAST * ours.size());
        PacketDiff.nearest(captured.packet(), ours, msnOffset)
                .ifPresentOrElse(
                        nearest -> mismatch(
                                captured.frame(),
                                there,
                                Wording.of(nearest) + unusual,
                                PacketDiff.between(captured.packet(), nearest, msnOffset)),
                        () -> mismatch(
                                captured.frame(),
                                there,
                                "no " + what + unusual,
                                new FieldDifference(what, there, FieldDifference.NONE)));
    }

    Comparison verdict() {
        return new Comparison(answers, requests, completions, matched, given, differences, lacking, mismatches);
    }
}
