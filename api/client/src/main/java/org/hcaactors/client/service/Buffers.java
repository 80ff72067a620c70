// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;

/**
 * Buffers of one endpoint in one region: first those that receive, then those that send. A send buffer is taken when one is free, in
 * the order of asking.
 */
final class Buffers {
    private final HostMemory memory;
    private final MemoryRegion region;
    private final int bytes;
    private final int receives;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<Integer>> waiting = new ArrayDeque<>();

    /** @param bytes of each buffer */
    Buffers(HostMemory memory, MemoryRegion region, int bytes, int receives, int sends) {
        this.memory = memory;
        this.region = region;
        this.bytes = bytes;
        this.receives = receives;
        for (int i = 0; i < sends; i++) {
            free.add(receives + i);
        }
    }

    long address() {
        return memory.address();
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

    /** Takes a send buffer. Its waiters are as many as the channels' windows allow. */
    CompletionStage<Integer> take() {
        synchronized (this) {
            if (free.isEmpty()) {
                CompletableFuture<Integer> next = new CompletableFuture<>();
                waiting.add(next);
                return next;
            }
            return CompletableFuture.completedStage(free.remove());
        }
    }

    void release(int number) {
        CompletableFuture<Integer> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free.add(number);
                return;
            }
        }
        next.complete(number);
    }

    /** True if every send buffer is free. */
    synchronized int sending() {
        return (int) (region.lengthBytes() / bytes) - receives - free.size();
    }
}
