// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;

/**
 * Result of one trial.
 *
 * @param asker completion status of the request
 * @param receive completion status of the other side's receive, if it completes before it is flushed
 * @param other state of the other side's queue pair
 */
record Outcome(Status asker, Optional<Status> receive, QpState other) {
    static Outcome of(Status asker) {
        return new Outcome(asker, Optional.empty(), QpState.RTS);
    }

    @Override
    public String toString() {
        return asker
                + receive.map(status -> ", receive " + status).orElse("")
                + (other == QpState.RTS ? "" : ", " + other);
    }
}
