// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Optional;

/** Versions of the messages between nodes (rule cluster-hello). */
final class WireVersion {
    /** The oldest one that this node understands. */
    static final int OLDEST = 1;

    /** The newest one that it understands. */
    static final int NEWEST = 1;

    private WireVersion() {}

    /** Returns, in words for that node, why one with these versions can't be a peer. */
    static Optional<String> whyNot(int oldest, int newest) {
        return newest < OLDEST || oldest > NEWEST
                ? Optional.of("it understands versions " + OLDEST + " to " + NEWEST + " of the fabric's messages, not "
                        + oldest + " to " + newest)
                : Optional.empty();
    }
}
