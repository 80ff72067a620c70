// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.util.Optional;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;

/** Result of a task. */
sealed interface TaskResult {
    Task task();

    /** The end of a seed. */
    record Ran(Sweep.Outcome outcome) implements TaskResult {
        @Override
        public Task task() {
            return new Task.Run(outcome.seed());
        }
    }

    /** The minimal run of a seed; empty if the seed did not fail when it was run again. */
    record Shrunk(long seed, Optional<MinimalRun> minimal) implements TaskResult {
        @Override
        public Task task() {
            return new Task.Shrink(seed);
        }
    }
}
