// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.TransportClass;

/** The DC initiator, with or without streams. */
public record DcInitiatorKind() implements QueuePairKind {
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
        Optional<DcStreams> requested = parts.plan().options().streams();
        if (requested.isEmpty()) {
            return new QueuePairSides(TransportClass.DC, Dc.INITIATOR, new DcRequester(parts, 0), Target.NONE);
        }
        DcChannels channels = new DcChannels(parts, requested.get());
        return new QueuePairSides(
                TransportClass.DC, List.of(), Dc.INITIATOR, channels, Target.NONE, Optional.of(channels.queue()));
    }

    @Override
    public BufferKind buffer() {
        return BufferKind.RC_QUEUE_PAIR;
    }

    @Override
    public int headerBytes() {
        return 160;
    }

    // rules dc-supported, dc-streams
    @Override
    public void check(QpDescription.Options options, Profile profile) {
        Dc.checkSupported(profile);
        options.streams().ifPresent(streams -> checkStreams(streams, profile));
    }

    private static void checkStreams(DcStreams streams, Profile profile) {
        DcCapabilities can = profile.dynamicallyConnected();
        if (!can.hasStreams()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no streams of DC initiators");
        }
        Limits.within("logChannels", streams.logChannels(), 0, can.logStreamChannels());
        Limits.within("logErrored", streams.logErrored(), 0, can.logErroredStreams());
    }

    @Override
    public boolean isInitiator() {
        return true;
    }
}
