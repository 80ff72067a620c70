// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.RdmaException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.jspecify.annotations.Nullable;

/**
 * A process's end of any number of channels, which share its buffers and one completion queue, and, unless each has receive buffers
 * of its own, one shared receive queue. It has a device context of its own; closing it closes everything.
 *
 * <p>Threads: any. Limits: {@link EndpointDescription}. One channel whose messages are not closed can take all receive buffers; then
 * the others wait, too, and so do their replies: {@link EndpointDescription#withOwnReceives} prevents it.
 */
public final class Endpoint implements Handle {
    private static final System.Logger LOG = System.getLogger(Endpoint.class.getName());

    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final EndpointDescription description;
    private final HostMemory memory;
    private final Buffers buffers;
    private final Receives receives;
    private final CompletionQueue arrivals;
    private final Map<Integer, MessageChannel> channels = new LinkedHashMap<>();

    private Endpoint(
            ProtectionDomain domain,
            EndpointDescription description,
            HostMemory memory,
            Buffers buffers,
            Receives receives,
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
        HostMemory memory;
        try {
            description.check();
            memory = process.allocate(
                    (long) description.maxMessageBytes() * (description.receives() + description.sends()));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        try {
            context = process.open();
        } catch (VerbsException refused) {
            return undone(memory.closeAsync(), refused);
        }
        return CompletableFuture.completedFuture(context)
                .thenCompose(opened -> begun(opened, memory, description))
                .exceptionallyCompose(
                        refused -> undone(context.closeAsync().thenCompose(closed -> memory.closeAsync()), refused));
    }

    private static CompletionStage<Endpoint> undone(CompletionStage<Void> closing, Throwable refused) {
        return closing.handle((closed, failure) -> CompletableFuture.<Endpoint>failedStage(refused))
                .thenCompose(Function.identity());
    }

    private static CompletionStage<Endpoint> begun(
            DeviceContext context, HostMemory memory, EndpointDescription description) {
        ProtectionDomain domain = context.allocatePd();
        int size = description.maxMessageBytes();
        CompletionStage<MemoryRegion> region =
                domain.register(Registration.of(memory).withAccess(Access.LOCAL_WRITE));
        CompletionStage<Buffers> buffers =
                region.thenApply(made -> new Buffers(memory, made, size, description.receives(), description.sends()));
        CompletionStage<Receives> receives = buffers.thenCompose(made -> receives(domain, description, made));
        CompletionStage<CompletionQueue> arrivals = context.createCq(description.receives());
        return buffers.thenCompose(made -> receives.thenCombine(
                arrivals, (posted, cq) -> new Endpoint(domain, description, memory, made, posted, cq).begun()));
    }

    private static CompletionStage<Receives> receives(
            ProtectionDomain domain, EndpointDescription description, Buffers buffers) {
        int count = description.receives();
        OptionalInt own = description.ownReceives();
        return own.isPresent()
                ? CompletableFuture.completedStage(new OwnReceives(buffers, count, own.getAsInt()))
                : domain.createSrq(SrqDescription.of(count).withMaxSge(1))
                        .thenApply(queue -> new SharedReceives(queue, buffers, count));
    }

    private Endpoint begun() {
        arrivals.completions().subscribe(Subscribers.forEach(this::arrived));
        return this;
    }

    EndpointDescription description() {
        return description;
    }

    HostProcess process() {
        return context.process();
    }

    Buffers buffers() {
        return buffers;
    }

    long adapterGuid() {
        return context.adapter().nodeGuid();
    }

    /** The protection domain of all channels, for the program's own memory. */
    public ProtectionDomain domain() {
        return domain;
    }

    private void arrived(WorkCompletion completion) {
        int buffer = (int) completion.workId();
        MessageChannel channel = channel(completion.qpNumber());
        // A WRITE with immediate data takes a receive, too, and is no message.
        boolean isMessage = completion.isSuccess() && completion.kind() == CompletionKind.RECV;
        if (isMessage && channel != null) {
            channel.arrived(new Message(buffers, buffer, (int) completion.lengthBytes(), receives::release));
        } else if (completion.isSuccess()) {
            receives.release(buffer);
        } else {
            receives.flushed(buffer);
        }
    }

    /** Called before the queue pair of a channel is destroyed. */
    void ending(RcQueuePair queuePair) {
        receives.ending(queuePair);
    }

    private synchronized @Nullable MessageChannel channel(int number) {
        return channels.get(number);
    }

    /** Makes a channel, which is known by its queue pair before a message for it can arrive. */
    private CompletionStage<MessageChannel> made(
            Function<ConnectionDescription, CompletionStage<Connection>> connecting) {
        CompletableFuture<MessageChannel> prepared = new CompletableFuture<>();
        QpCapacity capacity = QpCapacity.DEFAULT
                .withMaxSendWr(description.window() + description.oneSided() + 1)
                .withMaxSge(1);
        ConnectionDescription end = ConnectionDescription.of(domain)
                .withQp(receives.in(QpDescription.rc().withRecvCq(arrivals).withCapacity(capacity)))
                .withTerms(description.terms())
                .withPrepared(created -> {
                    MessageChannel channel = new MessageChannel(this, created);
                    entered(created.number(), channel);
                    prepared.complete(channel);
                    receives.begin(created);
                });
        return connecting
                .apply(end)
                .handle((connection, failure) -> {
                    if (failure == null) {
                        return prepared.thenApply(channel -> channel.connected(connection));
                    }
                    prepared.thenAccept(this::notMade);
                    return CompletableFuture.<MessageChannel>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    private void notMade(MessageChannel channel) {
        receives.ending(channel.qp());
        channel.failed();
    }

    private synchronized void entered(int number, MessageChannel channel) {
        channels.put(number, channel);
    }

    synchronized void left(int number) {
        channels.remove(number);
    }

    /** Connects to an endpoint that listens there; fails as {@link DeviceContext#connect} does. */
    public CompletionStage<MessageChannel> connect(InetSocketAddress to) {
        return made(end -> context.connect(to, end));
    }

    /**
     * Listens, and accepts every request. Closing the listener ends neither the endpoint nor its channels.
     *
     * @param backlog maximum number of requests that have arrived and are not being accepted yet
     * @param opened receives each channel when it is connected, on the callers' executor; messages wait until it has subscribed. A
     *     channel for which it throws is closed
     */
    public CompletionStage<ConnectionListener> listen(int port, int backlog, Consumer<? super MessageChannel> opened) {
        return context.listen(port, backlog).thenApply(listener -> {
            listener.requests().subscribe(Subscribers.forEach(request -> accept(request, opened)));
            return listener;
        });
    }

    private void accept(ConnectionRequest request, Consumer<? super MessageChannel> opened) {
        made(request::accept).thenAccept(channel -> opened(channel, opened)).exceptionally(failure -> {
            notAccepted(request, StageFailure.itself(failure));
            return null;
        });
    }

    /** That an end is gone meanwhile is no fault of the program; that it has too few buffers is one. */
    private static void notAccepted(ConnectionRequest request, Throwable reason) {
        boolean hasTooFew = reason instanceof VerbsException refused && refused.errno() == Errno.ENOMEM;
        System.Logger.Level level =
                reason instanceof RdmaException && !hasTooFew ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
        LOG.log(level, "the request of " + request.peer() + " became no channel", reason);
    }

    private static void opened(MessageChannel channel, Consumer<? super MessageChannel> opened) {
        try {
            opened.accept(channel);
        } catch (RuntimeException failed) {
            channel.discard();
            channel.closeAsync();
            throw failed;
        }
    }

    /** Closes all channels and all objects of its context. */
    @Override
    public CompletionStage<Void> closeAsync() {
        return context.closeAsync().thenCompose(closed -> memory.closeAsync());
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
