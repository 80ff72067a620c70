// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.fabric.packet.TransportClass;

/** Unreliable datagrams: one packet a message, each with an address of its own (rule ud-one-packet; IBA 9.8.3, 10.2.5). */
final class Ud {
    private Ud() {}

    static Halves halves(QpParts parts) {
        return new Halves(TransportClass.UD, new UdSender(parts), new UdReceiver(parts));
    }
}
