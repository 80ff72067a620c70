// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.api.queue.QpCapacity;

// rule pages-queues
/** Size of a queue pair's buffer: its send queue, followed by its own receive queue. */
final class QueueBytes {
    private static final int SEGMENT = 16;
    private static final int INLINE_HEADER = 4;
    private static final int PIECE = 64;

    private QueueBytes() {}

    /** @param shared it uses a shared receive queue */
    static long of(QueuePairKind kind, QpCapacity capacity, boolean shared) {
        long sends = powerOfTwo((long) capacity.maxSendWr() * send(kind, capacity));
        long receives = shared ? 0 : (long) capacity.maxRecvWr() * powerOfTwo((long) SEGMENT * capacity.maxRecvSge());
        return sends + receives;
    }

    private static long send(QueuePairKind kind, QpCapacity capacity) {
        long elements = (long) SEGMENT * capacity.maxSendSge();
        long inline = capacity.maxInlineBytes() == 0
                ? 0
                : roundedUp((long) INLINE_HEADER + capacity.maxInlineBytes(), SEGMENT);
        return roundedUp(SEGMENT + kind.headerBytes() + Math.max(elements, inline), PIECE);
    }

    private static long roundedUp(long bytes, int unit) {
        return (bytes + unit - 1) / unit * unit;
    }

    private static long powerOfTwo(long bytes) {
        return bytes <= 1 ? bytes : Long.highestOneBit(bytes - 1) << 1;
    }
}
