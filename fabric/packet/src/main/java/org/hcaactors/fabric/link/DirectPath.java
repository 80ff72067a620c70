// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;

/**
 * A direct path from one queue pair to another: valid while there is no interceptor, tap, link latency or packet in flight. The
 * fabric's actor opens it after it forwarded a batch; from then on the sender delivers batches of that route itself, until the
 * fabric changes.
 *
 * <p>A sender that checks the path while another thread announces a change may still find it open; its packets then count as
 * sent before the change.
 *
 * @param route compared by identity; the queue pair keeps the object
 * @param qpNumber destination queue pair, never that of a multicast group
 * @param mtuBytes largest IP packet that passes both links
 * @param mark epoch in which the path was opened
 */
public record DirectPath(Route route, int qpNumber, Endpoint end, int mtuBytes, Epoch epoch, long mark) {
    boolean isOpen() {
        return epoch.isStill(mark);
    }

    /** True if the whole batch can take this path. */
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
