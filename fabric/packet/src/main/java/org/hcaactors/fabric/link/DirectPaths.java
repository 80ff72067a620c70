// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/** The direct paths of one fabric, owned by its actor, which opens one at a time and closes all at once. */
final class DirectPaths {
    private final Epoch epoch;
    /** True if a path may be open. If none is, a change does not need to start an epoch. */
    private boolean opened;

    DirectPaths(Epoch epoch) {
        this.epoch = epoch;
    }

    /** Opens a path for the sender of a batch that was just forwarded as a whole. */
    void open(Endpoint from, Endpoint to, Packet first) {
        DirectPath last = from.directPath();
        int qp = first.bth().destQp();
        if (last == null || last.mark() != epoch.seen() || !last.leadsTo(first.route(), qp)) {
            from.open(new DirectPath(first.route(), qp, to, from.routeMtu, epoch, epoch.seen()));
        }
        opened = true;
    }

    /** Closes all paths. Call it before any change that affects senders. */
    void close() {
        if (opened) {
            epoch.turn();
            opened = false;
        }
    }
}
