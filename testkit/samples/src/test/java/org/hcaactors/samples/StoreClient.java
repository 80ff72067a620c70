// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.RemoteMemory;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RetryPolicy;

/** A client of the {@link KeyValueStore}; one GET or lock at a time. */
final class StoreClient {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final RequestClient requests;
    private final RemoteMemory table;

    private StoreClient(RequestClient requests, RemoteMemory table) {
        this.requests = requests;
        this.table = table;
    }

    // docs begin
    static CompletionStage<StoreClient> open(
            HostProcess process, EndpointDescription description, InetSocketAddress server) {
        return Endpoint.open(process, description).thenCompose(endpoint -> {
            RequestClient requests = new RequestClient(endpoint, server, RetryPolicy.DEFAULT);
            return endpoint.connect(server)
                    .thenCompose(channel -> requests.request(ByteBuffer.allocate(0), DEADLINE)
                            .thenCompose(where -> RemoteMemory.open(
                                    channel,
                                    new RemoteAddress(where.getInt(), where.getLong()),
                                    KeyValueStore.LENGTH,
                                    KeyValueStore.SLOT)))
                    .thenApply(table -> new StoreClient(requests, table));
        });
    }

    CompletionStage<ByteBuffer> put(int slot, byte[] value) {
        ByteBuffer body = ByteBuffer.allocate(Integer.BYTES + KeyValueStore.VALUE)
                .putInt(slot)
                .put(value)
                .rewind();
        return requests.request(body, DEADLINE);
    }

    CompletionStage<byte[]> get(int slot) {
        return table.readRecord((long) slot * KeyValueStore.SLOT, KeyValueStore.SLOT - 2 * Long.BYTES)
                .thenApply(record -> Arrays.copyOf(record, KeyValueStore.VALUE));
    }

    CompletionStage<Boolean> lock(int slot, long owner) {
        return table.update((long) slot * KeyValueStore.SLOT + KeyValueStore.LOCK, now -> now == 0 ? owner : now)
                .thenApply(now -> now == owner);
    }
    // docs end
}
