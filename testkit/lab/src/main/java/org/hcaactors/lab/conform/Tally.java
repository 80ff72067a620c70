package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the comparison of one capture comes to, while it is made. */
final class Tally {
    private int answers;
    private int requests;
    private int completions;
    private int matched;
    private final Map<Given, Integer> given = new EnumMap<>(Given.class);
    private final Map<Difference, Integer> differences = new EnumMap<>(Difference.class);
    private final Map<Difference, Integer> lacking = new EnumMap<>(Difference.class);
    private final List<Mismatch> mismatches = new ArrayList<>();

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

    void given(Given what) {
        given.merge(what, 1, Integer::sum);
    }

    void differs(Difference known) {
        differences.merge(known, 1, Integer::sum);
    }

    /** A packet whose ICRC is wrong is lost: somebody must have missed it. */
    void badIcrc(Heard packet, Foresight foresight) {
        if (foresight.isFollowedByRetransmission(packet)) {
            differs(Difference.BAD_ICRC);
        } else {
            mismatch(packet.frame(), "a wrong ICRC", "the packet would be lost, and nothing was sent again");
        }
    }

    /** The capture lacks something that our machine did, for a known reason. */
    void lacks(Difference known) {
        lacking.merge(known, 1, Integer::sum);
    }

    void mismatch(int frame, String expected, String got) {
        mismatches.add(new Mismatch(frame, expected, got));
    }

    Verdict verdict() {
        return new Verdict(answers, requests, completions, matched, given, differences, lacking, mismatches);
    }
}
