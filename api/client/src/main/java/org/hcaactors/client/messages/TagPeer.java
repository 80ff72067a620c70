// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Send;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection to another endpoint, to send messages. Both sides create one and connect it to the other.
 *
 * <p>Threads: any. Limits: {@link TagEndpointDescription#maxSends}.
 */
public final class TagPeer implements Handle {
    private static final String CLOSED = "the connection is closed";
    private static final int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES;

    private final RcQueuePair pair;
    private final TagEndpointDescription attributes;
    private final HostMemory memory;
    private final MemoryRegion headers;

    /** Free slots of the header memory for the program's messages. */
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** Free slots for answers to rendezvous messages. */
    private final ArrayDeque<Integer> freeForAnswers = new ArrayDeque<>();

    /** Stages of messages whose data are not fetched yet, by their slot. */
    private final @Nullable CompletableFuture<Void>[] fetched;

    /** Nothing is sent any more, and no fetch is reported. */
    private boolean isClosed;

    /** Reason why the endpoint receives no more completions. */
    private Optional<VerbsException> failed = Optional.empty();

    private volatile Runnable whenClosed = () -> {};

    @SuppressWarnings({"unchecked", "rawtypes"})
    TagPeer(RcQueuePair pair, TagEndpointDescription attributes, HostMemory memory, MemoryRegion headers) {
        this.pair = pair;
        this.attributes = attributes;
        this.memory = memory;
        this.headers = headers;
        fetched = new CompletableFuture[attributes.maxSends()];
        for (int i = 0; i < places(attributes); i++) {
            placesOf(i).add(i);
        }
    }

    /** One slot for each message of its own, and one for each answer to a peer's rendezvous message. */
    private static int places(TagEndpointDescription attributes) {
        return attributes.maxSends() + attributes.maxUnexpected() + attributes.maxListed();
    }

    private ArrayDeque<Integer> placesOf(int place) {
        return place < attributes.maxSends() ? free : freeForAnswers;
    }

    static long headerBytes(TagEndpointDescription attributes) {
        return (long) places(attributes) * HEADERS;
    }

    public Gid gid() {
        return pair.gid();
    }

    /** Number of its queue pair. */
    public int number() {
        return pair.number();
    }

    /** Connects to the peer of the other side, as {@link RcQueuePair#connect}. */
    public CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection connection) {
        return pair.connect(peer, peerQp, connection);
    }

    /**
     * Sends a message; the stage completes when the buffer can be reused. Fails with VerbsException: ENOMEM if too many
     * messages are outstanding; EINVAL if it is closed; EIO if the connection or the endpoint fails first; and as {@link
     * RcQueuePair#submit}.
     *
     * <p>The receiver fetches a long message. If it never does, because its endpoint is closed or may not read the buffer
     * (which needs REMOTE_READ), the stage fails with the next message that fails here, or when this is closed. The context's
     * asynchronous event QP_ACCESS_ERR or QP_LAST_WQE_REACHED of queue pair {@link #number} reports that the connection has
     * failed.
     */
    public CompletionStage<Void> send(long tag, TagBuffer data) {
        boolean rendezvous = data.lengthBytes() > attributes.maxEagerBytes();
        CompletionStage<Void> sent =
                placed(free, place -> rendezvous ? rendezvous(place, tag, data) : eager(place, tag, data));
        StageTracking.track(pair, () -> "a message of " + pair.describe(), this::isOpen, sent.toCompletableFuture());
        return sent;
    }

    private synchronized boolean isOpen() {
        return !isClosed && failed.isEmpty();
    }

    /** Takes a free slot for the header and sends; fails with ENOMEM if there is none. */
    private CompletionStage<Void> placed(ArrayDeque<Integer> places, IntFunction<CompletionStage<Void>> sending) {
        int place;
        try {
            place = take(places);
        } catch (VerbsException full) {
            return CompletableFuture.failedStage(full);
        }
        try {
            return sending.apply(place);
        } catch (RuntimeException refused) {
            // The program's memory or region is gone, or the endpoint's own, with its process.
            freePlace(place);
            return CompletableFuture.failedStage(TagDelivery.asVerbsException("the message can't be sent", refused));
        }
    }

    private synchronized int take(ArrayDeque<Integer> places) {
        if (isClosed) {
            throw VerbsException.invalid(CLOSED);
        }
        failed.ifPresent(reason -> {
            throw failure(reason);
        });
        Integer place = places.poll();
        if (place == null) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    attributes.maxSends() + " messages to one peer are outstanding; the endpoint allows no more");
        }
        return place;
    }

    private synchronized void freePlace(int place) {
        if (place < fetched.length) {
            fetched[place] = null;
        }
        placesOf(place).add(place);
    }

    private CompletionStage<Void> eager(int place, long tag, TagBuffer data) {
        LocalSlice header = write(place, TagHeader.eager(place, tag), ByteBuffer.allocate(0));
        return submit(Send.of(place, header, data.slice())).whenComplete((sent, reason) -> freePlace(place));
    }

    // rule rendezvous-finish
    private CompletionStage<Void> rendezvous(int place, long tag, TagBuffer data) {
        ByteBuffer where = ByteBuffer.allocate(RendezvousHeader.BYTES);
        new RendezvousHeader(data.remote(), data.lengthBytes()).write(where);
        LocalSlice header = write(place, TagHeader.rendezvous(place, tag), where.flip());
        CompletableFuture<Void> notified = new CompletableFuture<>();
        synchronized (this) {
            fetched[place] = notified;
            if (isClosed) {
                notified.completeExceptionally(closing());
            }
            failed.ifPresent(reason -> notified.completeExceptionally(failure(reason)));
        }
        CompletionStage<Void> sent = submit(Send.of(place, header));
        sent.exceptionally(reason -> {
            notified.completeExceptionally(reason);
            return null;
        });
        // Either may complete first; the slot is free when both have.
        return sent.thenCombine(notified, (done, ignored) -> done).whenComplete((done, reason) -> freePlace(place));
    }

    private LocalSlice write(int place, TagHeader header, ByteBuffer more) {
        byte[] bytes = new byte[TagHeader.BYTES + more.remaining()];
        ByteBuffer all = ByteBuffer.wrap(bytes);
        header.write(all);
        all.put(more);
        memory.write((long) place * HEADERS, bytes);
        return headers.slice((long) place * HEADERS, bytes.length);
    }

    private CompletionStage<Void> submit(Send work) {
        try {
            return pair.submit(work).thenAccept(done -> {
                if (!done.isSuccess()) {
                    throw failed("the send of a message ended with " + done.status());
                }
            });
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    /** Fails all messages whose data are not fetched, because the connection is in error. */
    private VerbsException failed(String how) {
        VerbsException reason = new VerbsException(Errno.EIO, how);
        failFetches(reason);
        return reason;
    }

    /** The peer has fetched the data of a message. */
    void finished(TagHeader header) {
        CompletableFuture<Void> sender = null;
        synchronized (this) {
            if (header.appContext() >= 0 && header.appContext() < fetched.length) {
                sender = fetched[header.appContext()];
            }
        }
        if (sender != null) {
            sender.complete(null);
        }
    }

    /**
     * Destroys the queue pair: outstanding messages fail with EIO or ECANCELED. Must be called also after the connection has
     * failed, because fetches are not reported any more.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        closed();
        CompletionStage<Void> closed = pair.destroy()
                .thenCompose(done -> headers.closeAsync())
                .thenCompose(done -> memory.closeAsync())
                .thenRun(whenClosed);
        StageTracking.track(pair, () -> "closing the " + describe(), () -> false, closed.toCompletableFuture());
        return closed;
    }

    @Override
    public void close() {
        StageTracking.await(pair, closeAsync());
    }

    @Override
    public String describe() {
        return "connection of " + pair.describe();
    }

    /** The endpoint then releases this connection. */
    void whenClosed(Runnable action) {
        whenClosed = action;
    }

    private void closed() {
        synchronized (this) {
            isClosed = true;
        }
        failFetches(closing());
    }

    /** The endpoint receives no more completions, so fetches are not reported. */
    void fail(VerbsException reason) {
        synchronized (this) {
            if (isClosed || failed.isPresent()) {
                return;
            }
            failed = Optional.of(reason);
        }
        failFetches(failure(reason));
    }

    private static VerbsException failure(VerbsException reason) {
        return new VerbsException(Errno.EIO, "the endpoint has failed: " + reason.getMessage(), reason);
    }

    /** No fetch will be reported any more. */
    private void failFetches(VerbsException reason) {
        CompletableFuture<Void>[] open;
        synchronized (this) {
            open = fetched.clone();
        }
        for (CompletableFuture<Void> sender : open) {
            if (sender != null) {
                sender.completeExceptionally(reason);
            }
        }
    }

    private static VerbsException closing() {
        return new VerbsException(Errno.ECANCELED, CLOSED);
    }

    /** Fetches the data of a message from its sender, and notifies the sender. */
    CompletionStage<Void> fetch(UnexpectedMessage message, TagBuffer into) {
        RendezvousHeader where = message.where().orElseThrow();
        try {
            RdmaRead read = RdmaRead.of(message.place(), into.first(message.lengthBytes()), where.data());
            return pair.submit(read)
                    .thenCompose(done -> done.isSuccess()
                            ? notifyFetched(message)
                            : CompletableFuture.failedStage(
                                    failed("the READ of the message's data ended with " + done.status())));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(
                    TagDelivery.asVerbsException("the message's data can't be fetched", refused));
        }
    }

    /** Notifies the sender that it can reuse its buffer. */
    CompletionStage<Void> notifyFetched(UnexpectedMessage message) {
        return placed(freeForAnswers, place -> {
            LocalSlice header = write(place, message.header().finished(), ByteBuffer.allocate(0));
            return submit(Send.of(place, header)).whenComplete((sent, reason) -> freePlace(place));
        });
    }
}
