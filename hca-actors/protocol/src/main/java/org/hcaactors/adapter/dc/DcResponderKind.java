// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.Optional;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.TransportClass;

// rule dc-responder
/** A DC target's responder for one peer; the target creates it and brings it up like an RC queue pair. */
public record DcResponderKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.DC_TGT;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.DC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        DcResponder responder = new DcResponder(parts);
        return new QueuePairSides(TransportClass.DC, StateTable.RC.named("DC responder"), responder.watch(), responder);
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
    public boolean canShareReceives() {
        return true;
    }

    @Override
    public boolean canMatchTags(TagCapabilities tags) {
        return tags.dc();
    }

    @Override
    public boolean answersFailedInvalidation() {
        return true;
    }

    @Override
    public Element element(QpPlan plan) {
        return Element.responder(plan.served().id());
    }

    @Override
    public Optional<AsyncEvent.Kind> reported(AsyncEvent.Kind event) {
        return Dc.ofTarget(event);
    }
}
