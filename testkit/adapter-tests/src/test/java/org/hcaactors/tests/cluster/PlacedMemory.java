// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.placement.PlacedProgram;
import org.hcaactors.tests.cable.MemoryServer;

/** Memory that every client may read and write, on a placed adapter. It ends its connections only when their clients do. */
record PlacedMemory(RdmaNetwork network) implements PlacedProgram {
    private static final int BYTES = 1 << 16;

    @Override
    public Running start(Adapter adapter) {
        HostProcess process = adapter.process("memory");
        ProtectionDomain domain = process.open().allocatePd();
        HostMemory memory = process.allocate(BYTES);
        MemoryRegion region =
                network.await(domain.register(Registration.of(memory).withAccess(Access.values())));
        ByteBuffer place = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(region.rkey())
                .putLong(region.address())
                .flip();
        ConnectionListener listener = network.await(domain.context().listen(MemoryServer.SERVICE, 16));
        Queue<CompletionStage<Void>> served = new ConcurrentLinkedQueue<>();
        listener.requests()
                .subscribe(Subscribers.forEach(request -> served.add(request.accept(
                                ConnectionDescription.of(domain).withPrivateData(place.duplicate()))
                        .thenCompose(connection -> connection.ended().thenCompose(end -> connection.closeAsync())))));
        return () -> listener.closeAsync()
                .thenCompose(closed -> CompletableFuture.allOf(served.stream()
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture<?>[]::new)));
    }
}
