// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.Locale;
import org.hcaactors.fabric.link.PacketInTransit;

/**
 * A packet from its sending to its fate.
 *
 * @param transit the packet, its sender and receiver, and the time of its sending
 * @param repeated true for a retransmission: the queue pair sent a request with this PSN before
 * @param deliveredAt times of its arrivals at the queue pair: none, one or several
 * @param disturbances what happened to it on the way
 */
public record Journey(PacketInTransit transit, boolean repeated, List<Long> deliveredAt, List<String> disturbances) {
    public boolean isDelivered() {
        return !deliveredAt.isEmpty();
    }

    /** Returns a readable line. */
    @Override
    public String toString() {
        String end =
                isDelivered() ? "delivered" : disturbances.isEmpty() ? "under way" : String.join("; ", disturbances);
        return String.format(
                Locale.ROOT,
                "%s us %s/qp%d to %s/qp%d %s: %s",
                Wording.micros(transit.nanos()),
                transit.fromPort(),
                transit.fromQp(),
                transit.toPort(),
                transit.packet().bth().destQp(),
                Wording.of(transit.packet()),
                end);
    }
}
