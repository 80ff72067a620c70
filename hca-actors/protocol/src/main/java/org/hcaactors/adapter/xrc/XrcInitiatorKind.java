// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.rc.Rc;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/** The XRC initiator (rule xrc-one-way). */
public record XrcInitiatorKind() implements QueuePairKind {
    @Override
    public QpType type() {
        return QpType.XRC_INI;
    }

    @Override
    public Transport pagingTransport() {
        return Transport.XRC;
    }

    @Override
    public QueuePairSides sides(QpParts parts) {
        return new QueuePairSides(TransportClass.XRC, Xrc.INITIATOR, Rc.initiator(parts), Target.NONE);
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.RC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 128;
    }

    @Override
    public void check(QpDescription.Options options, Profile profile) {
        QueuePairKind.super.check(options, profile);
        Xrc.checkSupported(profile);
    }

    @Override
    public boolean isInitiator() {
        return true;
    }
}
