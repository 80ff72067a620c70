// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;

/** Reason why a sweep over nodes ended before all its seeds had run. */
public sealed interface EndedEarly {
    /** Returns the reason as a clause. */
    String words();

    /** No node was there. */
    record NoNodes(Duration waited) implements EndedEarly {
        @Override
        public String words() {
            return "no node was there for " + waited.toSeconds() + " s";
        }
    }

    /** Nodes ended while they ran the same seed; it may be what ends them. */
    record SeedEndsNodes(long seed, int nodes) implements EndedEarly {
        @Override
        public String words() {
            return nodes + " nodes ended while they ran seed " + seed;
        }
    }
}
