// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpType;

// rule pages-queues
/** Size of a queue pair's buffer: its send queue, followed by its own receive queue. */
final class QueueBytes {
    private static final int SEGMENT = 16;
    private static final int INLINE_HEADER = 4;
    private static final int PIECE = 64;

    private QueueBytes() {}

    /** @param shared it uses a shared receive queue */
    static long of(QpType type, QpCapacity capacity, boolean shared) {
        long sends = powerOfTwo((long) capacity.maxSendWr() * send(type, capacity));
        long receives = shared ? 0 : (long) capacity.maxRecvWr() * powerOfTwo((long) SEGMENT * capacity.maxRecvSge());
        return sends + receives;
    }

    private static long send(QpType type, QpCapacity capacity) {
        long elements = (long) SEGMENT * capacity.maxSendSge();
        long inline = capacity.maxInlineBytes() == 0
                ? 0
                : roundedUp((long) INLINE_HEADER + capacity.maxInlineBytes(), SEGMENT);
        return roundedUp(SEGMENT + before(type) + Math.max(elements, inline), PIECE);
    }

    /** Bytes between the control segment and the data segments. */
    private static int before(QpType type) {
        return switch (type) {
            case RC -> 112;
            case UC -> 16;
            case UD -> 48;
            case XRC_INI -> 128;
            case DC_INI -> 160;
            case XRC_TGT, DC_TGT -> 0;
        };
    }

    private static long roundedUp(long bytes, int unit) {
        return (bytes + unit - 1) / unit * unit;
    }

    private static long powerOfTwo(long bytes) {
        return bytes <= 1 ? bytes : Long.highestOneBit(bytes - 1) << 1;
    }
}
