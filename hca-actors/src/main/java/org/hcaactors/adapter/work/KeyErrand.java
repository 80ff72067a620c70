// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.KeyWork;

/**
 * The change of a memory key that a send queue waits for: one at a time, and what stands behind it does not start before (rule
 * memory-key-work). Answers to what was given up are told apart by their tickets.
 */
public final class KeyErrand {
    private long ticket;
    private boolean underWay;

    /** Asks for the change unless that was done. */
    public void begin(Posted request, Turn turn) {
        if (!underWay) {
            underWay = true;
            turn.changeKey(request, ++ticket);
        }
    }

    /** The answer to that ticket is in; false where nobody waits for it any more. */
    public boolean ends(long answered) {
        boolean awaited = underWay && answered == ticket;
        underWay &= !awaited;
        return awaited;
    }

    public boolean isUnderWay() {
        return underWay;
    }

    public void forget() {
        underWay = false;
    }

    /** Why the request fails. */
    public static Reason why(Posted request, Denial denial) {
        return new KeyDenied(KeyDenied.Name.KEY, keyOf(request), denial);
    }

    private static int keyOf(Posted request) {
        if (request.work() instanceof KeyWork work) {
            return work.key();
        }
        throw new IllegalArgumentException(request.kind() + " changes no key");
    }

    // rule memory-key-work
    /** How the request fails. */
    public static Status status(Posted request, Denial denial) {
        return Status.LOC_QP_OP_ERR;
    }
}
