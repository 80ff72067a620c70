// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairCreator;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * A process's end of any number of channels, which share its buffers, one shared receive queue and one completion queue. It has a
 * device context of its own; closing it closes everything.
 *
 * <p>Threads: any. Limits: {@link EndpointDescription}.
 */
public final class Endpoint implements Handle {
    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final EndpointDescription description;
    private final HostMemory memory;
    private final Buffers buffers;
    private final SharedReceiveQueue receives;
    private final CompletionQueue arrivals;
    private final Map<Integer, Channel> channels = new LinkedHashMap<>();
    private int clients;

    private Endpoint(
            ProtectionDomain domain,
            EndpointDescription description,
            HostMemory memory,
            Buffers buffers,
            SharedReceiveQueue receives,
            CompletionQueue arrivals) {
        this.context = domain.context();
        this.domain = domain;
        this.description = description;
        this.memory = memory;
        this.buffers = buffers;
        this.receives = receives;
        this.arrivals = arrivals;
    }

    /**
     * Opens an endpoint. Fails with EINVAL if sizes do not fit each other, and with the refusal of an object; then those made so
     * far are closed.
     */
    public static CompletionStage<Endpoint> open(HostProcess process, EndpointDescription description) {
        DeviceContext context;
        try {
            description.check();
            context = process.open();
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return begun(context, description)
                .exceptionallyCompose(refused -> context.closeAsync()
                        .handle((closed, failure) -> CompletableFuture.<Endpoint>failedStage(refused))
                        .thenCompose(Function.identity()));
    }

    private static CompletionStage<Endpoint> begun(DeviceContext context, EndpointDescription description) {
        ProtectionDomain domain = context.allocatePd();
        int size = description.maxMessageBytes();
        HostMemory memory = context.process().allocate((long) size * (description.receives() + description.sends()));
        CompletionStage<MemoryRegion> region =
                domain.register(Registration.of(memory).withAccess(Access.LOCAL_WRITE));
        CompletionStage<SharedReceiveQueue> receives =
                domain.createSrq(SrqDescription.of(description.receives()).withMaxSge(1));
        CompletionStage<CompletionQueue> arrivals = context.createCq(description.receives());
        return region.thenCompose(made -> receives.thenCombine(arrivals, (srq, cq) -> {
            Buffers buffers = new Buffers(memory, made, size, description.receives(), description.sends());
            return new Endpoint(domain, description, memory, buffers, srq, cq).begun();
        }));
    }

    private Endpoint begun() {
        for (int buffer = 0; buffer < description.receives(); buffer++) {
            post(buffer);
        }
        arrivals.completions().subscribe(Subscribers.forEach(this::arrived));
        return this;
    }

    EndpointDescription description() {
        return description;
    }

    /** The protection domain of all channels, for the program's own memory. */
    public ProtectionDomain domain() {
        return domain;
    }

    Buffers buffers() {
        return buffers;
    }

    /** Returns a number that no other client of a network has had. */
    synchronized long nextClient() {
        return context.adapter().nodeGuid() * 31 + buffers.address() + ++clients;
    }

    private void post(int buffer) {
        receives.postReceive(Receive.of(buffer, buffers.slice(buffer)));
    }

    /** Posts a buffer again; one of an endpoint that is closed needs no other use. */
    private void release(int buffer) {
        try {
            post(buffer);
        } catch (VerbsException closed) {
            // The shared receive queue is gone, and with it all receives.
        }
    }

    private void arrived(WorkCompletion completion) {
        int buffer = (int) completion.workId();
        Channel channel = channel(completion.qpNumber());
        if (completion.isSuccess() && channel != null) {
            channel.arrived(new Message(buffers, buffer, (int) completion.lengthBytes(), this::release));
        } else {
            release(buffer);
        }
    }

    private synchronized @Nullable Channel channel(int number) {
        return channels.get(number);
    }

    /** Creator that knows the channel of a queue pair before a message for it can arrive. */
    private final class Creator implements QueuePairCreator {
        private final AtomicReference<@Nullable Channel> made = new AtomicReference<>();

        @Override
        public <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested) {
            return domain.createQp(requested).thenApply(created -> {
                if (created instanceof RcQueuePair rc) {
                    Channel channel = new Channel(Endpoint.this, rc);
                    made.set(channel);
                    entered(rc.number(), channel);
                }
                return created;
            });
        }

        ConnectionDescription description() {
            QpDescription<RcQueuePair> qp = QpDescription.rc()
                    .withSrq(receives)
                    .withRecvCq(arrivals)
                    .withCapacity(QpCapacity.DEFAULT
                            .withMaxSendWr(
                                    Endpoint.this.description.window() + Endpoint.this.description.oneSided() + 1)
                            .withMaxSge(1));
            return ConnectionDescription.of(this).withQp(qp).withTerms(Endpoint.this.description.terms());
        }

        CompletionStage<Channel> channelOf(CompletionStage<Connection> connecting) {
            return connecting
                    .handle((connection, failure) -> {
                        Channel channel = made.get();
                        if (channel != null && failure == null) {
                            channel.connected(connection);
                            return CompletableFuture.completedStage(channel);
                        }
                        if (channel != null) {
                            channel.failed();
                        }
                        return CompletableFuture.<Channel>failedStage(failure);
                    })
                    .thenCompose(Function.identity());
        }
    }

    private synchronized void entered(int number, Channel channel) {
        channels.put(number, channel);
    }

    synchronized void left(int number) {
        channels.remove(number);
    }

    /** Connects to an endpoint that listens there; fails as {@link DeviceContext#connect} does. */
    public CompletionStage<Channel> connect(InetSocketAddress to) {
        Creator creator = new Creator();
        return creator.channelOf(context.connect(to, creator.description()));
    }

    /**
     * Listens, and accepts every request. Closing the listener ends neither the endpoint nor its channels.
     *
     * @param backlog maximum number of requests that are being accepted
     * @param opened receives each channel when it is connected, on the callers' executor; messages wait until it has subscribed
     */
    public CompletionStage<ConnectionListener> listen(int port, int backlog, Consumer<? super Channel> opened) {
        return context.listen(port, backlog).thenApply(listener -> {
            listener.requests().subscribe(Subscribers.forEach(request -> accept(request, opened)));
            return listener;
        });
    }

    private void accept(ConnectionRequest request, Consumer<? super Channel> opened) {
        Creator creator = new Creator();
        creator.channelOf(request.accept(creator.description())).thenAccept(opened);
    }

    /** Closes all channels and all objects of its context. */
    @Override
    public CompletionStage<Void> closeAsync() {
        return context.closeAsync()
                .thenCompose(
                        closed -> memory.isMapped() ? memory.closeAsync() : CompletableFuture.completedStage(null));
    }

    @Override
    public void close() {
        context.close();
        memory.close();
    }

    @Override
    public String describe() {
        return "endpoint of " + context.process().name() + " on "
                + context.adapter().name();
    }

    @Override
    public String toString() {
        return describe();
    }
}
