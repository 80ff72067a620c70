// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.hcaactors.api.memory.LocalSlice;

/**
 * A message that arrived, in one of the endpoint's receive buffers until it is closed. While all are taken, peers wait.
 *
 * <p>Threads: any. Limits: {@link EndpointDescription#receives} messages that are not closed.
 */
public final class Message implements AutoCloseable {
    private final Buffers buffers;
    private final int number;
    private final int length;
    private final IntConsumer release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param release receives the number of the buffer, once */
    Message(Buffers buffers, int number, int length, IntConsumer release) {
        this.buffers = buffers;
        this.number = number;
        this.length = length;
        this.release = release;
    }

    public int lengthBytes() {
        return length;
    }

    /** Returns a copy of the content; IllegalStateException after {@link #close}. */
    public ByteBuffer content() {
        checkOpen();
        return ByteBuffer.wrap(buffers.read(number, length));
    }

    /** Returns the content where it is, to be sent on without a copy; IllegalStateException after {@link #close}. */
    public LocalSlice slice() {
        checkOpen();
        return buffers.slice(number, length);
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("the message is closed; another one may be in its buffer");
        }
    }

    /** Gives the buffer back; a second call has no effect. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.accept(number);
        }
    }
}
