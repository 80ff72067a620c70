// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Set;
import org.hcaactors.adapter.inline.InlineUse;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/** The RC queue pair. */
public record RcKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.RC;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.RC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.RC, StateTable.RC, Rc.initiator(parts), Rc.target(parts));
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.RC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 112;
    }

    @Override
    public boolean canShareReceives() {
        return true;
    }

    @Override
    public boolean canMatchTags(TagCapabilities tags) {
        return tags.rc();
    }

    @Override
    public Set<InlineUse> inlineUses() {
        return Set.of(InlineUse.MESSAGES, InlineUse.RESULTS);
    }

    @Override
    public boolean canFillKeys() {
        return true;
    }

    @Override
    public boolean canFetch() {
        return true;
    }

    @Override
    public boolean sendsRuns() {
        return true;
    }
}
