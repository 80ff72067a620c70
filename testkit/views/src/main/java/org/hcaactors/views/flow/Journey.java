// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.Locale;
import org.hcaactors.fabric.link.PacketInTransit;

/**
 * One packet from its sending to its end.
 *
 * @param transit the packet, from where, to where, and when it was sent
 * @param repeated a request of the same queue pair with the same PSN was sent before: a retransmission
 * @param deliveredAt when it reached its queue pair: never, once, or more often
 * @param mishaps what happened to it on the way
 */
public record Journey(PacketInTransit transit, boolean repeated, List<Long> deliveredAt, List<String> mishaps) {
    public boolean isDelivered() {
        return !deliveredAt.isEmpty();
    }

    /** A line for a person. */
    @Override
    public String toString() {
        String end = isDelivered() ? "delivered" : mishaps.isEmpty() ? "under way" : String.join("; ", mishaps);
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
