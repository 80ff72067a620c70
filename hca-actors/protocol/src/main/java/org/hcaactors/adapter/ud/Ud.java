// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Factory of the halves of a UD queue pair: one packet for each message, each with an address of its own (rule ud-one-packet;
 * IBA 9.8.3, 10.2.5).
 */
public final class Ud {
    private Ud() {}

    public static QueuePairSides halves(QpParts parts) {
        return new QueuePairSides(TransportClass.UD, StateTable.UD, new UdSender(parts), new UdReceiver(parts));
    }
}
