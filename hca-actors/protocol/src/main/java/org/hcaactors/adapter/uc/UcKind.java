// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import java.util.Set;
import org.hcaactors.adapter.inline.InlineUse;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/** The UC queue pair: no acknowledgements, hence no timers and no retransmission. */
public record UcKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.UC;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.UC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.UC, StateTable.UC, new UcRequester(parts), new UcResponder(parts));
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.UC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 16;
    }

    @Override
    public Set<InlineUse> inlineUses() {
        return Set.of(InlineUse.MESSAGES);
    }
}
