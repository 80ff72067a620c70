// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/** Which trains can go the common way: as a whole, by one look-up. */
final class BatchPath {
    /** No packet has more bytes above Ethernet beside its payload: 103 are IPv6, UDP, BTH, DCETH, AtomicETH, pad and ICRC. */
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

    /** One route, to one queue pair. */
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
