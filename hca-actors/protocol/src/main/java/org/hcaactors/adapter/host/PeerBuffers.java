// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.memory.PeerMemory;

/** Memory of a peer device, as mapped in a process. */
public final class PeerBuffers implements PeerMemory {
    private final MappedMemory buffers;
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private boolean invalid;

    /** @param buffers the memory in the process's address space */
    public PeerBuffers(MappedMemory buffers) {
        this.buffers = buffers;
    }

    MappedMemory buffers() {
        return buffers;
    }

    // rule memory-peer
    @Override
    public CompletionStage<Void> invalidate() {
        if (isFirst()) {
            CompletableFuture<?>[] regions = buffers.condemn().stream()
                    .map(pin -> pin.lost().toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            StageOutcome.of(CompletableFuture.allOf(regions).thenRun(buffers::unmap), released);
        }
        return released.minimalCompletionStage();
    }

    private synchronized boolean isFirst() {
        boolean first = !invalid;
        invalid = true;
        return first;
    }

    @Override
    public long address() {
        return buffers.address();
    }

    @Override
    public long lengthBytes() {
        return buffers.lengthBytes();
    }

    @Override
    public long busAddress() {
        return buffers.busAddress();
    }

    @Override
    public boolean isMapped() {
        return buffers.isMapped();
    }

    @Override
    public byte[] read(long offset, int lengthBytes) {
        return buffers.read(offset, lengthBytes);
    }

    @Override
    public void write(long offset, byte[] bytes) {
        buffers.write(offset, bytes);
    }

    @Override
    public long readLong(long offset) {
        return buffers.readLong(offset);
    }

    @Override
    public void writeLong(long offset, long value) {
        buffers.writeLong(offset, value);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return buffers.closeAsync();
    }

    @Override
    public void close() {
        buffers.close();
    }

    @Override
    public String describe() {
        return "peer memory at 0x%x, %d bytes".formatted(address(), lengthBytes());
    }

    @Override
    public String toString() {
        return describe();
    }
}
