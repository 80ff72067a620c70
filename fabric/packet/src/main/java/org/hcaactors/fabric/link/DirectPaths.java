// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/** The direct ways through one fabric, as its actor has them: it opens one at a time, and closes all at once. */
final class DirectPaths {
    private final Epoch epoch;
    /** One may be open. Where none is, a change costs nothing. */
    private boolean opened;

    DirectPaths(Epoch epoch) {
        this.epoch = epoch;
    }

    /** From behind a train that goes there as a whole and has arrived. */
    void open(Endpoint from, Endpoint to, Packet first) {
        DirectPath known = from.way();
        int qp = first.bth().destQp();
        if (known == null || known.mark() != epoch.seen() || !known.leadsTo(first.route(), qp)) {
            from.open(new DirectPath(first.route(), qp, to, from.routeMtu, epoch, epoch.seen()));
        }
        opened = true;
    }

    /** Before anything changes that a sender would have to know of. */
    void close() {
        if (opened) {
            epoch.turn();
            opened = false;
        }
    }
}
