// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;

/**
 * A way from one queue pair to another that nobody and nothing stands in: no interceptor, no tap, no link time, and nothing
 * under way. The fabric's actor opens it behind a train that it forwarded; the sender takes it by itself for trains of that
 * route, until the fabric changes.
 *
 * <p>A sender that looks whether it is open while a change is announced on another thread may find it so; what it hands over
 * then counts as sent before the change.
 *
 * @param route by identity, as a queue pair keeps it
 * @param qpNumber at its end, never a multicast group's
 * @param mtuBytes the largest IP packet that passes both links
 * @param mark of the epoch in which it was opened
 */
public record DirectPath(Route route, int qpNumber, Endpoint end, int mtuBytes, Epoch epoch, long mark) {
    boolean isOpen() {
        return epoch.isStill(mark);
    }

    /** It goes where that train goes, as a whole. */
    boolean isFor(Packet[] batch) {
        for (Packet packet : batch) {
            if (!leadsTo(packet.route(), packet.bth().destQp())) {
                return false;
            }
        }
        return BatchPath.fits(batch, mtuBytes);
    }

    boolean leadsTo(Route requested, int qp) {
        return route == requested && qpNumber == qp;
    }
}
