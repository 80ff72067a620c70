// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.OptionalInt;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** Buffers of one endpoint in one region: first those that receive, then those that send. */
final class Buffers {
    private final HostMemory memory;
    private final MemoryRegion region;
    private final int bytes;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** Channels that wait for a send buffer, in the order of asking. */
    private final LinkedHashSet<MessageChannel> waiting = new LinkedHashSet<>();

    /** @param bytes of each buffer */
    Buffers(HostMemory memory, MemoryRegion region, int bytes, int receives, int sends) {
        this.memory = memory;
        this.region = region;
        this.bytes = bytes;
        for (int i = 0; i < sends; i++) {
            free.add(receives + i);
        }
    }

    /** Returns the bytes from the position to the limit, both of which stay. */
    static byte[] copy(ByteBuffer content) {
        byte[] copy = new byte[content.remaining()];
        content.get(content.position(), copy);
        return copy;
    }

    /** Returns the whole buffer of that number. */
    LocalSlice slice(int number) {
        return slice(number, bytes);
    }

    LocalSlice slice(int number, int length) {
        return region.slice((long) number * bytes, length);
    }

    byte[] read(int number, int length) {
        return memory.read((long) number * bytes, length);
    }

    void write(int number, byte[] content) {
        memory.write((long) number * bytes, content);
    }

    /** Takes a send buffer; if none is free, the channel continues when one is. */
    synchronized OptionalInt take(MessageChannel by) {
        if (free.isEmpty()) {
            waiting.add(by);
            return OptionalInt.empty();
        }
        return OptionalInt.of(free.remove());
    }

    /** A channel that waited may have no use for a buffer any more; then the next one gets it. */
    void release(int number) {
        synchronized (this) {
            free.add(number);
        }
        for (MessageChannel next = served(); next != null; next = served()) {
            next.sendWaiting();
        }
    }

    private synchronized @Nullable MessageChannel served() {
        return free.isEmpty() || waiting.isEmpty() ? null : waiting.removeFirst();
    }
}
