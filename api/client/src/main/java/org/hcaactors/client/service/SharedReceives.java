// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.work.Receive;

/** Receive buffers that all channels of an endpoint share. */
final class SharedReceives implements Receives {
    private final SharedReceiveQueue queue;
    private final Buffers buffers;

    /** @param count of buffers, from 0 on */
    SharedReceives(SharedReceiveQueue queue, Buffers buffers, int count) {
        this.queue = queue;
        this.buffers = buffers;
        for (int buffer = 0; buffer < count; buffer++) {
            post(buffer);
        }
        // An empty queue is what makes peers wait here: the limit tells a program nothing that it could do.
        queue.armLimit(1);
    }

    private void post(int buffer) {
        queue.postReceive(Receive.of(buffer, buffers.slice(buffer)));
    }

    @Override
    public QpDescription<RcQueuePair> in(QpDescription<RcQueuePair> description) {
        return description.withSrq(queue);
    }

    @Override
    public void begin(RcQueuePair queuePair) {}

    @Override
    public void ending(RcQueuePair queuePair) {}

    @Override
    public void release(int buffer) {
        try {
            post(buffer);
        } catch (VerbsException closed) {
            // The shared receive queue is gone, and with it all receives.
        }
    }

    @Override
    public void flushed(int buffer) {
        release(buffer);
    }
}
