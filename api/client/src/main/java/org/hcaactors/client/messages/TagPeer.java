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
 * Another endpoint, to which messages are sent. Both sides make one and connect it to the other's.
 *
 * <p>Threads: any. Limits: {@link TagEndpointDescription#maxSends}.
 */
public final class TagPeer {
    private static final String CLOSED = "the connection is closed";
    private static final int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES;

    private final RcQueuePair pair;
    private final TagEndpointDescription attributes;
    private final HostMemory memory;
    private final MemoryRegion headers;

    /** Places of the header memory that no message of the program has. */
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** The same of answers, which the program's messages leave room for. */
    private final ArrayDeque<Integer> freeForAnswers = new ArrayDeque<>();

    /** Senders of data that are not fetched yet, by their place. */
    private final @Nullable CompletableFuture<Void>[] fetched;

    /** Nothing is sent any more, and nobody says that anything was fetched. */
    private boolean isClosed;

    /** Why its endpoint hears nothing any more. */
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

    /** One for each message of its own, and one for each of a peer's of which it says that it was fetched. */
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

    /** Of the queue pair under it. */
    public int number() {
        return pair.number();
    }

    /** To the other side's, as {@link RcQueuePair#connect} does. */
    public CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection connection) {
        return pair.connect(peer, peerQp, connection);
    }

    /**
     * Sends a message; the stage completes when the buffer may be used again. Fails with VerbsException: ENOMEM when too many are under
     * way; EINVAL when it is closed; EIO where the connection or the endpoint fails first; and as {@link RcQueuePair#submit} does.
     *
     * <p>A long message is fetched by its receiver. Where that never happens, as its endpoint is closed or may not read the buffer (which
     * needs REMOTE_READ), the stage ends with the next message that fails here, or when this is closed. The context's asynchronous
     * event QP_ACCESS_ERR, or QP_LAST_WQE_REACHED, of the queue pair {@link #number} tells that the connection has failed.
     */
    public CompletionStage<Void> send(long tag, TagBuffer data) {
        boolean stays = data.lengthBytes() > attributes.longestEager();
        CompletionStage<Void> sent =
                placed(free, place -> stays ? rendezvous(place, tag, data) : eager(place, tag, data));
        StageTracking.track(pair, () -> "a message of " + pair.describe(), this::isOpen, sent.toCompletableFuture());
        return sent;
    }

    private synchronized boolean isOpen() {
        return !isClosed && failed.isEmpty();
    }

    /** What begins with a free place for its header; fails with ENOMEM where there is none. */
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
            // The program's memory or region, which is gone, or the endpoint's own with its process.
            give(place);
            return CompletableFuture.failedStage(TagDelivery.typed("a message could not be sent", refused));
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
            throw new VerbsException(Errno.ENOMEM, attributes.maxSends() + " messages to one peer are under way");
        }
        return place;
    }

    private synchronized void give(int place) {
        if (place < fetched.length) {
            fetched[place] = null;
        }
        placesOf(place).add(place);
    }

    private CompletionStage<Void> eager(int place, long tag, TagBuffer data) {
        LocalSlice header = write(place, TagHeader.eager(place, tag), ByteBuffer.allocate(0));
        return submit(Send.of(place, header, data.slice())).whenComplete((sent, reason) -> give(place));
    }

    // rule rendezvous-finish
    private CompletionStage<Void> rendezvous(int place, long tag, TagBuffer data) {
        ByteBuffer where = ByteBuffer.allocate(RendezvousHeader.BYTES);
        new RendezvousHeader(data.remote(), data.lengthBytes()).write(where);
        LocalSlice header = write(place, TagHeader.rendezvous(place, tag), where.flip());
        CompletableFuture<Void> told = new CompletableFuture<>();
        synchronized (this) {
            fetched[place] = told;
            if (isClosed) {
                told.completeExceptionally(closing());
            }
            failed.ifPresent(reason -> told.completeExceptionally(failure(reason)));
        }
        CompletionStage<Void> sent = submit(Send.of(place, header));
        sent.exceptionally(reason -> {
            told.completeExceptionally(reason);
            return null;
        });
        // Either may come first, and the place is free when both have.
        return sent.thenCombine(told, (done, heard) -> done).whenComplete((done, reason) -> give(place));
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
                    throw failed("a message ended with " + done.status());
                }
            });
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    /** The connection is in error from now on. */
    private VerbsException failed(String how) {
        VerbsException reason = new VerbsException(Errno.EIO, how);
        nobodyFetches(reason);
        return reason;
    }

    /** The peer has fetched what was left here. */
    void finished(TagHeader told) {
        CompletableFuture<Void> sender = null;
        synchronized (this) {
            if (told.appContext() >= 0 && told.appContext() < fetched.length) {
                sender = fetched[told.appContext()];
            }
        }
        if (sender != null) {
            sender.complete(null);
        }
    }

    /**
     * Destroys the queue pair: what is being sent fails with EIO or ECANCELED. To be called, too, when the connection has failed, as
     * nobody says then that data were fetched.
     */
    public CompletionStage<Void> closeAsync() {
        closed();
        CompletionStage<Void> over = pair.destroy()
                .thenCompose(gone -> headers.closeAsync())
                .thenCompose(gone -> memory.closeAsync())
                .thenRun(whenClosed);
        StageTracking.track(
                pair, () -> "closing the connection of " + pair.describe(), () -> false, over.toCompletableFuture());
        return over;
    }

    /** Its endpoint does not keep it then. */
    void whenClosed(Runnable action) {
        whenClosed = action;
    }

    private void closed() {
        synchronized (this) {
            isClosed = true;
        }
        nobodyFetches(closing());
    }

    /** Its endpoint hears nothing any more, and so never that data were fetched. */
    void fail(VerbsException reason) {
        synchronized (this) {
            if (isClosed || failed.isPresent()) {
                return;
            }
            failed = Optional.of(reason);
        }
        nobodyFetches(failure(reason));
    }

    private static VerbsException failure(VerbsException reason) {
        return new VerbsException(Errno.EIO, "the endpoint has failed: " + reason.getMessage(), reason);
    }

    /** Nobody will say that data were fetched. */
    private void nobodyFetches(VerbsException reason) {
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

    /** Fetches what a message left at its sender, and says so. */
    CompletionStage<Void> fetch(UnexpectedMessage message, TagBuffer into) {
        RendezvousHeader where = message.where().orElseThrow();
        try {
            RdmaRead read = RdmaRead.of(message.place(), into.first(message.lengthBytes()), where.data());
            return pair.submit(read)
                    .thenCompose(done -> done.isSuccess()
                            ? tell(message)
                            : CompletableFuture.failedStage(failed("fetching data ended with " + done.status())));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(TagDelivery.typed("data could not be fetched", refused));
        }
    }

    /** Its sender may use its buffer again. */
    CompletionStage<Void> tell(UnexpectedMessage message) {
        return placed(freeForAnswers, place -> {
            LocalSlice header = write(place, message.header().finished(), ByteBuffer.allocate(0));
            return submit(Send.of(place, header)).whenComplete((sent, reason) -> give(place));
        });
    }
}
