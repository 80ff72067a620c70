// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.judge.cover.Features.Answers;
import org.hcaactors.judge.cover.Features.Streams;
import org.hcaactors.lab.pair.Half;

/** Creates and connects the queue pairs of a combination. */
record Terms(Combination row, Profile profile) implements Half.Settings {
    private static final int MAX_REQUESTS = 8;
    /** 1 ms: enough to read several pages back. */
    private static final int PATIENT = 8;

    QpCapacity capacity() {
        int elements = Math.min(2, profile.queues().maxSge());
        QpCapacity plain = QpCapacity.of(MAX_REQUESTS)
                .withMaxSge(elements)
                .withMaxInlineBytes(Math.min(256, profile.queues().maxInlineBytes()))
                .withMaxAtomicBytes(
                        1 << Math.max(3, Math.min(5, profile.atomics().logMaxInline())));
        return row.get(Features.INLINE).completion()
                ? plain.withMaxInlineReceiveBytes(1).withMaxInlineResultBytes(1)
                : plain;
    }

    RcConnection connection() {
        int reads = Math.min(
                4, Math.min(profile.queues().maxRdAtomic(), profile.queues().maxDestRdAtomic()));
        return RcConnection.DEFAULT
                .withMtu(row.get(Features.MTU))
                .withRdAtomic(reads)
                .withTimeoutCode(PATIENT)
                .withRetryCount(6)
                .withRnrRetry(7)
                .withMinRnrTimerCode(1);
    }

    @Override
    public <Q extends QueuePair> QpDescription<Q> of(QpDescription<Q> plain) {
        QpDescription<Q> requested =
                row.get(Features.ANSWERS) == Answers.BIG_ENDIAN ? plain.withBigEndianReplies() : plain;
        requested = row.get(Features.STREAMS) == Streams.NONE ? requested : requested.withStreams(new DcStreams(1, 1));
        return switch (row.get(Features.SCATTER)) {
            case DEFAULT -> requested;
            case ALLOWED -> requested.withScatterToCqe(ScatterToCqe.ALLOWED);
            case DISABLED -> requested.withScatterToCqe(ScatterToCqe.DISABLED);
        };
    }
}
