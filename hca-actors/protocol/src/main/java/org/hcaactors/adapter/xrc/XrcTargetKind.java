// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.rc.Rc;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/** The XRC target, which an XRC domain creates (rule xrc-one-way). */
public record XrcTargetKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.XRC_TGT;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.XRC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.XRC, Xrc.TARGET, Initiator.NONE, Rc.target(parts));
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.RC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 0;
    }
}
