// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RetryPolicy;

/** A client of the {@link KeyValueStore}; one GET or lock at a time. */
final class StoreClient {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final RequestClient requests;
    private final MessageChannel channel;
    private final HostMemory memory;
    private final MemoryRegion region;
    private final RemoteAddress table;

    private StoreClient(
            RequestClient requests, MessageChannel channel, HostMemory memory, MemoryRegion region, ByteBuffer where) {
        this.requests = requests;
        this.channel = channel;
        this.memory = memory;
        this.region = region;
        table = new RemoteAddress(where.getInt(), where.getLong());
    }

    // docs begin
    static CompletionStage<StoreClient> open(
            HostProcess process, EndpointDescription description, InetSocketAddress server) {
        HostMemory memory = process.allocate(KeyValueStore.SLOT);
        return Endpoint.open(process, description).thenCompose(endpoint -> {
            RequestClient requests = new RequestClient(endpoint, server, RetryPolicy.DEFAULT);
            return endpoint.domain()
                    .register(memory, LOCAL_WRITE)
                    .thenCompose(region -> endpoint.connect(server)
                            .thenCompose(channel -> requests.request(ByteBuffer.allocate(0), DEADLINE)
                                    .thenApply(where -> new StoreClient(requests, channel, memory, region, where))));
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
        RdmaRead read = RdmaRead.of(1, region.slice(0, KeyValueStore.SLOT), at(slot, 0));
        return channel.qp().submit(read).thenApply(StoreClient::succeeded).thenCompose(done -> {
            long version = memory.readLong(0);
            boolean whole = version % 2 == 0 && version == memory.readLong(KeyValueStore.SLOT - Long.BYTES);
            return whole ? CompletableFuture.completedStage(memory.read(Long.BYTES, KeyValueStore.VALUE)) : get(slot);
        });
    }

    CompletionStage<Boolean> lock(int slot, long owner) {
        CompareAndSwap swap = CompareAndSwap.of(2, region.slice(0, 8), at(slot, KeyValueStore.LOCK), 0, owner);
        return channel.qp().submit(swap).thenApply(StoreClient::succeeded).thenApply(done -> memory.readLong(0) == 0);
    }
    // docs end

    private RemoteAddress at(int slot, int offset) {
        return table.plus((long) slot * KeyValueStore.SLOT + offset);
    }

    private static WorkCompletion succeeded(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException("the store does not answer: " + completion.status());
        }
        return completion;
    }
}
