// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Receive buffers of which each channel has its own, in the receive queue of its queue pair. Each posted receive completes once: a
 * buffer of a channel that ends is free again when its message is closed, or its receive is flushed.
 */
final class OwnReceives implements Receives {
    private static final class Owner {
        private final RcQueuePair queuePair;
        private boolean ending;

        Owner(RcQueuePair queuePair) {
            this.queuePair = queuePair;
        }
    }

    private final Buffers buffers;
    private final int each;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** Channel that has the buffer of that number; null if it is free. */
    private final @Nullable Owner[] owners;

    /** Channels that are not ending, by the numbers of their queue pairs. */
    private final Map<Integer, Owner> channels = new LinkedHashMap<>();

    /**
     * @param count of buffers, from 0 on
     * @param each buffers of a channel
     */
    OwnReceives(Buffers buffers, int count, int each) {
        this.buffers = buffers;
        this.each = each;
        owners = new Owner[count];
        for (int buffer = 0; buffer < count; buffer++) {
            free.add(buffer);
        }
    }

    @Override
    public QpDescription<RcQueuePair> in(QpDescription<RcQueuePair> description) {
        return description.withCapacity(description.capacity().withMaxRecvWr(each));
    }

    @Override
    public synchronized void begin(RcQueuePair queuePair) {
        if (free.size() < each) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "a channel needs " + each + " of the endpoint's " + owners.length + " receive buffers; "
                            + free.size() + " are free (withReceives)");
        }
        Owner owner = new Owner(queuePair);
        channels.put(queuePair.number(), owner);
        for (int i = 0; i < each; i++) {
            int buffer = free.remove();
            owners[buffer] = owner;
            post(buffer, owner);
        }
    }

    /** Posts a buffer; one of a queue pair that is closed is free. */
    private void post(int buffer, Owner owner) {
        try {
            owner.queuePair.postReceive(Receive.of(buffer, buffers.slice(buffer)));
        } catch (VerbsException closed) {
            free(buffer);
        }
    }

    private void free(int buffer) {
        owners[buffer] = null;
        free.add(buffer);
    }

    @Override
    public synchronized void ending(RcQueuePair queuePair) {
        Owner owner = channels.remove(queuePair.number());
        if (owner != null) {
            owner.ending = true;
        }
    }

    @Override
    public synchronized void release(int buffer) {
        Owner owner = Objects.requireNonNull(owners[buffer], "a free buffer has no message");
        if (owner.ending) {
            free(buffer);
        } else {
            post(buffer, owner);
        }
    }

    @Override
    public synchronized void flushed(int buffer) {
        free(buffer);
    }
}
