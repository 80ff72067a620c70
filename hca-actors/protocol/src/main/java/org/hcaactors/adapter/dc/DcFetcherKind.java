// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

// rule rendezvous-dc
/** The DC initiator of a tag-matching queue, to which no program posts. */
public record DcFetcherKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.DC_INI;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.DC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.DC, Dc.INITIATOR, new DcFetcher(parts), Target.NONE);
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.RC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 0;
    }

    @Override
    public boolean isInitiator() {
        return true;
    }
}
