// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_ATOMIC;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestServer;

/**
 * A key-value store in slots of 64 bytes: a version, a value of 40 bytes, a lock, and the version again. Clients PUT by request, GET by
 * RDMA READ, and lock by compare-and-swap.
 */
final class KeyValueStore {
    static final int PORT = 7000;
    static final int SLOT = 64;
    static final int VALUE = 40;
    static final int LOCK = 48;
    static final int LENGTH = 256 * SLOT;

    private final HostMemory table;
    private final ByteBuffer where = ByteBuffer.allocate(12);

    private KeyValueStore(HostMemory table) {
        this.table = table;
    }

    // docs begin
    static CompletionStage<KeyValueStore> open(HostProcess process, EndpointDescription description) {
        KeyValueStore store = new KeyValueStore(process.allocate(LENGTH));
        return Endpoint.open(process, description)
                .thenCompose(endpoint -> endpoint.domain()
                        .register(store.table, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC)
                        .thenCompose(region -> {
                            store.where
                                    .putInt(region.rkey())
                                    .putLong(region.address())
                                    .flip();
                            return RequestServer.open(endpoint, PORT, 16, new ReplyCache(10_000), store::handle);
                        })
                        .thenApply(server -> store));
    }

    private CompletionStage<ByteBuffer> handle(Request request) {
        ByteBuffer body = request.body();
        if (body.hasRemaining()) {
            put(body.getInt(), body);
        }
        return CompletableFuture.completedStage(where.duplicate());
    }
    // docs end

    /** A reader that finds two different versions, or an odd one, reads again. */
    private void put(int slot, ByteBuffer value) {
        long at = (long) slot * SLOT;
        long version = table.readLong(at);
        table.writeLong(at, version + 1);
        table.write(at + Long.BYTES, value);
        table.writeLong(at + SLOT - Long.BYTES, version + 2);
        table.writeLong(at, version + 2);
    }
}
