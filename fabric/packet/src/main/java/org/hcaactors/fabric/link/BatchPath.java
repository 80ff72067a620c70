// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/** Check whether a batch of packets can be forwarded as a whole, with one look-up. */
final class BatchPath {
    /** Upper bound of the bytes above Ethernet besides the payload: IPv6, UDP, BTH, DCETH, AtomicETH, pad and ICRC are 103. */
    static final int MAX_HEADERS = 128;

    private BatchPath() {}

    static boolean fits(Packet[] batch, int mtuBytes) {
        for (Packet packet : batch) {
            if (packet.payload().length() + MAX_HEADERS > mtuBytes && packet.ipBytes() > mtuBytes) {
                return false;
            }
        }
        return true;
    }

    /** True if all packets have one route and one destination queue pair. */
    static boolean isOneWay(Packet[] batch) {
        Packet first = batch[0];
        for (Packet packet : batch) {
            if (packet.route() != first.route()
                    || packet.bth().destQp() == Switchboard.MULTICAST_QP
                    || packet.bth().destQp() != first.bth().destQp()) {
                return false;
            }
        }
        return true;
    }
}
