// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * Bounds of an RC responder's MSN, from the start of its numbering: it never goes back, counts no message that has not
 * arrived, and all that the responder has acknowledged (rule rc-msn; IBA C9-148). What has arrived and is not acknowledged may
 * still wait for a receive or for memory.
 */
final class MessageCount {
    /** The PSNs at which messages that are not acknowledged are counted, oldest first. */
    private final Deque<Integer> open = new ArrayDeque<>();

    private int arrived;
    private int acknowledged;
    private int newest;

    /** The packet with which a message is counted has come, in its turn: its last one, or the request of a READ. */
    void arrived(int psn) {
        arrived++;
        open.add(psn);
    }

    /** Checks the MSN of a response, and returns the violation, if any. */
    Optional<String> answered(Packet answer) {
        acknowledge(acknowledgedBy(answer));
        int msn = answer.aeth().msn();
        int before = newest;
        newest = msn;
        if (Psn.compare(msn, before) < 0) {
            return Optional.of("answers with msn " + msn + " after " + before);
        }
        if (Psn.compare(msn, arrived) > 0) {
            return Optional.of("answers with msn " + msn + ", but only " + arrived + " messages have arrived");
        }
        if (Psn.compare(msn, acknowledged) < 0) {
            return Optional.of("answers with msn " + msn + ", but has acknowledged " + acknowledged + " messages");
        }
        return Optional.empty();
    }

    /** A NAK acknowledges what came before its PSN. */
    private static int acknowledgedBy(Packet answer) {
        return Syndrome.isAck(answer.aeth().syndrome()) ? answer.psn() : Psn.plus(answer.psn(), -1);
    }

    private void acknowledge(int psn) {
        while (!open.isEmpty() && Psn.compare(open.getFirst(), psn) <= 0) {
            open.removeFirst();
            acknowledged++;
        }
    }
}
