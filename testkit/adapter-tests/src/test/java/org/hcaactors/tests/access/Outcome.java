// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;

/**
 * What came of one try.
 *
 * @param initiator what its request completes with
 * @param receive what the other side's receive completes with, if it does before it is flushed
 * @param other the state of the other side's queue pair
 */
record Outcome(Status initiator, Optional<Status> receive, QpState other) {
    static Outcome of(Status initiator) {
        return new Outcome(initiator, Optional.empty(), QpState.RTS);
    }

    @Override
    public String toString() {
        return initiator
                + receive.map(status -> ", receive " + status).orElse("")
                + (other == QpState.RTS ? "" : ", " + other);
    }
}
