// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.work.Turn;

/**
 * What a SEND with invalidate waits for when its bytes are in their place, and before its receive completes (rule
 * window-remote-invalidate). Answers to what was given up are told apart by their tickets.
 */
final class RcInvalidation {
    /** Where it stands. */
    private enum Stage {
        NONE,
        ASKED,
        ANSWERED
    }

    private long ticket;
    private Stage stage = Stage.NONE;
    private Optional<Denial> refusal = Optional.empty();

    void ask(KeyUser by, int key, Turn turn) {
        stage = Stage.ASKED;
        turn.invalidate(by, key, ++ticket);
    }

    /** False where nobody waits for that answer any more. */
    boolean answered(long asked, Optional<Denial> answer) {
        if (stage != Stage.ASKED || asked != ticket) {
            return false;
        }
        stage = Stage.ANSWERED;
        refusal = answer;
        return true;
    }

    /** The bytes of the message are in their place. */
    boolean isUnderWay() {
        return stage != Stage.NONE;
    }

    boolean isAwaited() {
        return stage == Stage.ASKED;
    }

    /** The message is over. Why its key was not invalidated, if it was not. */
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
