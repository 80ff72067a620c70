// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * The UD queue pair: one packet for each message, each with an address of its own (rule ud-one-packet; IBA 9.8.3, 10.2.5).
 */
public record UdKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.UD;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.UD;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.UD, StateTable.UD, new UdSender(parts), new UdReceiver(parts));
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.UD_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 48;
    }

    @Override
    public boolean canShareReceives() {
        return true;
    }
}
