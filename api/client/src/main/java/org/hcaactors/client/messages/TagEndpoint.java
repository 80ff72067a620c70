// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that sends and receives tagged messages, with the ordering rules of MPI: of two receives that match a message,
 * the older gets it; of two messages of one sender that match a receive, it gets the older. The adapter matches tags, writes
 * data directly into the buffer, and fetches long messages itself; the program does what the adapter cannot. The difference is
 * visible only in {@link #statistics}.
 *
 * <p>Buffers are in regions of this endpoint's protection domain. The source of a message longer than {@link
 * TagEndpointDescription#maxEagerBytes} needs REMOTE_READ, a destination needs LOCAL_WRITE. The call does not check this; the
 * adapter does when the message arrives, and ends the connection.
 *
 * <p>Threads: any. Stages complete on the callers' executor. Limits: {@link TagEndpointDescription}. Connections are reliable
 * ones (RC). An eager message that is longer than its matching buffer ends its connection, as on hardware. If an endpoint loses
 * its queues, because its context closes, its process exits, its adapter restarts or its completion queue is in error, all
 * waiting and later operations fail with EIO; the endpoint must still be closed.
 */
public final class TagEndpoint implements Handle {
    static final String CLOSED = "the endpoint is closed";

    private final TagResources resources;
    private final TagEndpointDescription attributes;
    private final TagMachine machine;
    private final ReentrantLock lock = new ReentrantLock();
    private final TagPeers peers;
    private final TagDelivery delivery;

    /** Receives in the adapter's list, by the identifiers of their completions. */
    private final Map<Long, PendingReceive> listed = new HashMap<>();

    /** Receives that are being removed from the adapter's list. */
    private final Map<Long, PendingReceive> deleted = new HashMap<>();

    private CompletableFuture<Void> closed = new CompletableFuture<>();

    private boolean closing;

    /** The adapter's first error; no operation is posted after it. */
    private volatile Optional<VerbsException> broken = Optional.empty();

    TagEndpoint(TagResources resources, TagEndpointDescription attributes) {
        this.resources = resources;
        peers = new TagPeers(resources);
        delivery = new TagDelivery(resources, peers, this::repost);
        this.attributes = attributes;
        machine = new TagMachine(
                resources.queue().maxTags(), resources.queue().maxOperations(), attributes.maxEagerBytes());
        for (int place = 0; place < attributes.maxUnexpected(); place++) {
            resources.repost(place);
        }
        resources.completions().completions().subscribe(new TagListener(this::completed, this::fails));
        // A restart of the adapter ends no subscription.
        resources.queue().ended().exceptionally(reason -> {
            fails(new VerbsException(
                    Errno.EIO, "the tag-matching queue was destroyed: " + reason.getMessage(), reason));
            return null;
        });
    }

    /**
     * Opens an endpoint in this domain: EOPNOTSUPP if the adapter has no tag matching, EINVAL above its limits, ENOMEM if its
     * host has no memory. If it fails, the objects created so far are closed.
     */
    public static CompletionStage<TagEndpoint> open(ProtectionDomain domain, TagEndpointDescription requested) {
        return TagResources.make(domain, requested)
                .thenCompose(made -> made.with(own -> new TagEndpoint(own, requested)));
    }

    /**
     * Creates one end of a connection to another endpoint. Fails with VerbsException: EINVAL if the endpoint is closed, EIO if
     * it has failed.
     */
    public CompletionStage<TagPeer> addPeer() {
        return peers.add();
    }

    /** Posts a receive for exactly this tag. */
    public TagReceive receive(long tag, TagBuffer into) {
        return receive(tag, TagAdd.EXACTLY, into);
    }

    /**
     * Posts a receive for a message whose tag equals this one in the bits of the mask. VerbsException: EINVAL if the endpoint
     * is closed, and for a buffer in a region without process addresses, to which the program cannot copy; ENOMEM if too many
     * receives wait; EIO if the endpoint has failed.
     */
    public TagReceive receive(long tag, long mask, TagBuffer into) {
        into.checkAddressable();
        PendingReceive[] made = new PendingReceive[1];
        apply(() -> {
            if (closing) {
                throw VerbsException.invalid(CLOSED);
            }
            broken.ifPresent(reason -> {
                throw failure(reason);
            });
            if (machine.waiting() >= attributes.maxReceives()) {
                throw new VerbsException(
                        Errno.ENOMEM,
                        attributes.maxReceives() + " receives wait for messages; the endpoint allows no more");
            }
            made[0] = machine.newReceive(tag, mask, into);
            track(() -> "a receive of " + this, () -> broken.isEmpty(), made[0].stage);
            return machine.receive(made[0]);
        });
        return new TagReceive(this, Objects.requireNonNull(made[0]));
    }

    private void track(Supplier<String> what, BooleanSupplier mayWait, Future<?> stage) {
        StageTracking.track(resources.completions(), what, mayWait, stage);
    }

    CompletionStage<Boolean> cancel(PendingReceive receive) {
        track(() -> "cancelling a receive of " + this, () -> false, receive.cancelled);
        apply(() -> machine.cancel(receive));
        return receive.cancelled.minimalCompletionStage();
    }

    /** Returns the statistics of the endpoint so far. */
    public TagStatistics statistics() {
        lock.lock();
        try {
            return machine.statistics();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes its connections and the objects that it created; waiting receives fail with ECANCELED. A second call waits for the
     * same end, or tries again if an object could not be closed.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        List<PendingReceive> waiting;
        CompletableFuture<Void> end = new CompletableFuture<>();
        lock.lock();
        try {
            if (closing && !closed.isCompletedExceptionally()) {
                return closed.minimalCompletionStage();
            }
            closing = true;
            closed = end;
            waiting = new ArrayList<>(listed.values());
            waiting.addAll(machine.withoutMessage());
        } finally {
            lock.unlock();
        }
        track(() -> "closing " + this, () -> false, end);
        TagResources.inTurn(peers.closeAsync(), resources::closeAsync)
                .whenComplete((done, reason) -> ended(waiting, end, reason));
        return end.minimalCompletionStage();
    }

    @Override
    public void close() {
        StageTracking.await(resources.completions(), closeAsync());
    }

    @Override
    public String describe() {
        return toString();
    }

    private void ended(List<PendingReceive> waiting, CompletableFuture<Void> end, @Nullable Throwable reason) {
        waiting.forEach(each -> {
            each.stage.completeExceptionally(new VerbsException(Errno.ECANCELED, CLOSED));
            each.cancelled.complete(true);
        });
        lock.lock();
        try {
            machine.breaks(waiting, new VerbsException(Errno.ECANCELED, CLOSED));
        } finally {
            lock.unlock();
        }
        if (reason == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(reason);
        }
    }

    // --- completions ---

    private void completed(WorkCompletion completion) {
        if (completion.status() == Status.TM_ERR) {
            deletionEnded(completion);
            return;
        }
        switch (completion.kind()) {
            case TM_ADD, TM_SYNC -> apply(() -> machine.operationEnded(syncRequested(completion)));
            case TM_DEL -> deletionEnded(completion);
            case TM_NO_TAG -> delivery.untagged(completion);
            default -> received(completion);
        }
    }

    private static boolean syncRequested(WorkCompletion completion) {
        return completion.tagging().orElse(TagInfo.NONE).syncRequested();
    }

    private void deletionEnded(WorkCompletion completion) {
        apply(() -> {
            PendingReceive receive = deleted.remove(completion.workId());
            if (receive == null || broken.isPresent()) {
                return List.of();
            }
            if (completion.isSuccess()) {
                listed.remove(receive.number);
            }
            return machine.deletionEnded(receive, completion.isSuccess(), syncRequested(completion));
        });
    }

    private void received(WorkCompletion completion) {
        if (completion.workId() < 0) {
            unexpected(completion);
        } else {
            expected(completion);
        }
    }

    private void unexpected(WorkCompletion completion) {
        int place = TagDelivery.place(completion);
        if (completion.kind() != CompletionKind.TM_RECV) {
            repost(place);
            return;
        }
        Optional<UnexpectedMessage> message = completion.isSuccess()
                ? UnexpectedMessage.unexpected(place, completion, resources.message(place, completion.lengthBytes()))
                : Optional.empty();
        message.ifPresentOrElse(found -> apply(() -> machine.unexpected(found)), () -> {
            repost(place);
            apply(machine::unexpectedFailed);
        });
    }

    private void expected(WorkCompletion completion) {
        TagInfo info = completion.tagging().orElse(TagInfo.NONE);
        apply(() -> {
            PendingReceive receive = listed.get(completion.workId());
            if (receive == null || broken.isPresent()) {
                return List.of();
            }
            boolean isFirst = completion.isSuccess() && info.matched() && !info.dataValid();
            if (isFirst) {
                machine.matched(receive, info.info().orElseThrow());
                return List.of();
            }
            listed.remove(receive.number);
            if (completion.isSuccess()) {
                return machine.arrived(receive, info.info(), (int) completion.lengthBytes());
            }
            return completion.status() == Status.TM_RNDV_INCOMPLETE
                            && info.info().isPresent()
                    ? machine.notFetched(
                            receive,
                            UnexpectedMessage.notFetched(
                                    receive.buffer.begin(resources.process(), completion.lengthBytes()),
                                    completion,
                                    info.info().get()))
                    : machine.failed(receive, completion.status());
        });
    }

    // --- actions ---

    /**
     * Operations on the adapter are posted under the lock, because their order matters; callers are answered after it is
     * released.
     */
    private void apply(Supplier<List<TagAction>> input) {
        List<TagAction> acts = new ArrayList<>();
        Optional<VerbsException> reason;
        lock.lock();
        try {
            Deque<TagAction> todo = new ArrayDeque<>(input.get());
            while (!todo.isEmpty()) {
                TagAction act = todo.remove();
                acts.add(act);
                todo.addAll(operated(act));
            }
            reason = broken;
        } finally {
            lock.unlock();
        }
        acts.forEach(this::answer);
        reason.ifPresent(peers::fail);
    }

    /**
     * Returns further actions: a refusal by the adapter ends something, so that nothing waits for an operation that was not
     * posted.
     */
    private List<TagAction> operated(TagAction act) {
        if (closing || broken.isPresent()) {
            return List.of(); // everything open ends with it
        }
        try {
            return operate(act);
        } catch (RuntimeException refused) {
            return breaks(TagDelivery.asVerbsException("the tag-matching queue refused an operation", refused));
        }
    }

    private void fails(VerbsException reason) {
        apply(() -> breaks(reason));
    }

    private static VerbsException failure(VerbsException reason) {
        return new VerbsException(Errno.EIO, "the endpoint has failed: " + reason.getMessage(), reason);
    }

    /** After one refusal the adapter refuses all later operations. */
    private List<TagAction> breaks(VerbsException reason) {
        if (broken.isPresent() || closing) {
            return List.of();
        }
        broken = Optional.of(reason);
        List<PendingReceive> all = List.copyOf(listed.values());
        listed.clear();
        deleted.clear();
        return machine.breaks(all, failure(reason));
    }

    private void repost(int place) {
        try {
            resources.repost(place);
        } catch (RuntimeException refused) {
            fails(TagDelivery.asVerbsException("the tag-matching queue refused a buffer", refused));
        }
    }

    private List<TagAction> operate(TagAction act) {
        switch (act) {
            case TagAction.Add(PendingReceive receive, OptionalInt handled) -> {
                return add(receive, handled);
            }
            case TagAction.Delete(PendingReceive receive) -> {
                deleted.put(receive.number, receive);
                resources
                        .queue()
                        .delete(TagDelete.of(receive.number, Objects.requireNonNull(receive.handle))
                                .withSignaled());
            }
            case TagAction.Sync(int handled) ->
                resources.queue().sync(TagSync.of(0, handled).withSignaled());
            case TagAction.Answer answer -> {}
        }
        return List.of();
    }

    /**
     * A receive is in the list when it has its handle, and not before. A refusal because of its region or a full list fails
     * only this receive.
     */
    private List<TagAction> add(PendingReceive receive, OptionalInt handled) {
        TagAdd add;
        try {
            add = TagAdd.of(receive.number, Receive.of(receive.number, receive.buffer.slice()), receive.tag)
                    .withMask(receive.mask)
                    .withSignaled();
        } catch (RuntimeException unusable) {
            return machine.notAdded(
                    receive, TagDelivery.asVerbsException("the receive's buffer can't be used", unusable));
        }
        try {
            receive.handle = resources.queue().add(handled.isPresent() ? add.withHandled(handled.getAsInt()) : add);
        } catch (VerbsException refused) {
            if (refused.errno() != Errno.ENOMEM) {
                throw refused;
            }
            return machine.notAdded(receive, refused);
        }
        listed.put(receive.number, receive);
        return List.of();
    }

    private void answer(TagAction act) {
        switch (act) {
            case TagAction.Operation operation -> {}
            case TagAction.Copy(UnexpectedMessage message, PendingReceive receive) -> delivery.copy(message, receive);
            case TagAction.Fetch(UnexpectedMessage message, PendingReceive receive) -> delivery.fetch(message, receive);
            case TagAction.Truncate(UnexpectedMessage message, PendingReceive receive) ->
                delivery.truncate(message, receive);
            case TagAction.Finish(PendingReceive receive, TagArrival arrival) -> receive.stage.complete(arrival);
            case TagAction.Fail(PendingReceive receive, RuntimeException reason) ->
                receive.stage.completeExceptionally(reason);
            case TagAction.Cancelled(PendingReceive receive, boolean done) -> {
                receive.cancelled.complete(done);
                if (done) {
                    receive.stage.completeExceptionally(
                            new VerbsException(Errno.ECANCELED, "the receive was cancelled"));
                }
            }
        }
    }

    @Override
    public String toString() {
        return attributes.toString();
    }
}
