// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;

/** Receive buffers of an endpoint, in the queues to which they are posted. Any thread. */
interface Receives {
    /** Returns the description of a channel's queue pair, with its receives. */
    QpDescription<RcQueuePair> in(QpDescription<RcQueuePair> description);

    /**
     * A channel is being made; its peer cannot send yet.
     *
     * @throws org.hcaactors.api.error.VerbsException ENOMEM if there are too few buffers
     */
    void begin(RcQueuePair queuePair);

    /** The channel ends: nothing is posted to its queue pair from now on. */
    void ending(RcQueuePair queuePair);

    /** A receive has completed without a message, or its message was closed. */
    void release(int buffer);

    /** A receive was flushed, or failed, with its queue pair. */
    void flushed(int buffer);
}
