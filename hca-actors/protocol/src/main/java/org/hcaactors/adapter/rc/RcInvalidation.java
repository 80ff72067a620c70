// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.work.Turn;

/**
 * Invalidation that a SEND with invalidate waits for after its data is written and before its receive completes (rule
 * window-remote-invalidate). Answers to abandoned invalidations are recognized by their tickets.
 */
final class RcInvalidation {
    /** State of the invalidation. */
    private enum Stage {
        NONE,
        REQUESTED,
        ANSWERED
    }

    private long ticket;
    private Stage stage = Stage.NONE;
    private Optional<Denial> refusal = Optional.empty();

    void request(KeyUser by, int key, Turn turn) {
        stage = Stage.REQUESTED;
        turn.invalidate(by, key, ++ticket);
    }

    /** Takes the answer; returns false if it is no longer awaited. */
    boolean answered(long answeredTicket, Optional<Denial> answer) {
        if (stage != Stage.REQUESTED || answeredTicket != ticket) {
            return false;
        }
        stage = Stage.ANSWERED;
        refusal = answer;
        return true;
    }

    /** True from the time when the message's data is written until its receive completes. */
    boolean isUnderWay() {
        return stage != Stage.NONE;
    }

    boolean isAwaited() {
        return stage == Stage.REQUESTED;
    }

    /** Ends the message. Returns why its key was not invalidated, or empty if it was. */
    Optional<Denial> end() {
        Optional<Denial> reason = refusal;
        clear();
        return reason;
    }

    void clear() {
        stage = Stage.NONE;
        refusal = Optional.empty();
    }
}
