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
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages with a tag, and receives those whose tags a receive waits for, as MPI has it: of two receives that wait for a
 * message the older gets it; of two messages of one sender that a receive waits for, it gets the older. The adapter compares, puts
 * data straight into the buffer, and fetches long ones by itself; what it can't, the program does, and nobody sees the difference
 * but in {@link #statistics}.
 *
 * <p>Buffers are of regions of this endpoint's protection domain: what is sent needs REMOTE_READ where it is longer than {@link
 * TagEndpointDescription#longestEager}, what is received into LOCAL_WRITE. Nothing checks that at the call; the adapter does when the
 * message comes, and ends the connection.
 *
 * <p>Threads: any. Stages complete on the callers' executor. Limits: {@link TagEndpointDescription}. Connections are reliable ones
 * (RC). A message that is longer than the buffer that waits for it, and short enough to bring its data, ends its connection, as it does
 * on hardware. Where an endpoint loses its queues, as its context closes, its process exits, its adapter restarts or its completion
 * queue is in error, all that waits fails with EIO, and so does what is asked for then; it is still to be closed.
 */
public final class TagEndpoint {
    static final String CLOSED = "the endpoint is closed";

    private final TagResources resources;
    private final TagEndpointDescription attributes;
    private final TagMachine machine;
    private final ReentrantLock lock = new ReentrantLock();
    private final TagPeers peers;
    private final TagDelivery delivery;

    /** Receives that the adapter knows, by the numbers of their completions. */
    private final Map<Long, PendingReceive> listed = new HashMap<>();

    /** Those that are being taken out of its list. */
    private final Map<Long, PendingReceive> deleted = new HashMap<>();

    private CompletableFuture<Void> closed = new CompletableFuture<>();

    private boolean closing;

    /** What the adapter refused. */
    private volatile Optional<VerbsException> broken = Optional.empty();

    TagEndpoint(TagResources resources, TagEndpointDescription attributes) {
        this.resources = resources;
        peers = new TagPeers(resources);
        delivery = new TagDelivery(resources, peers, this::repost);
        this.attributes = attributes;
        machine = new TagMachine(
                resources.queue().maxTags(), resources.queue().maxOperations(), attributes.longestEager());
        for (int place = 0; place < attributes.maxUnexpected(); place++) {
            resources.repost(place);
        }
        resources.completions().completions().subscribe(new TagListener(this::completed, this::fails));
        // An adapter that starts anew ends no subscription.
        resources.queue().ended().exceptionally(reason -> {
            fails(new VerbsException(Errno.EIO, "its queue is gone: " + reason.getMessage(), reason));
            return null;
        });
    }

    /**
     * Makes what an endpoint needs, in that domain: EOPNOTSUPP where the adapter compares no tags, EINVAL beyond what it has, ENOMEM
     * where its host has no memory. Where it fails, what was made is closed.
     */
    public static CompletionStage<TagEndpoint> open(ProtectionDomain domain, TagEndpointDescription requested) {
        return TagResources.make(domain, requested)
                .thenCompose(made -> made.with(own -> new TagEndpoint(own, requested)));
    }

    /**
     * Makes one end of a connection to another endpoint. Fails with VerbsException: EINVAL when the endpoint is closed, EIO when it has
     * failed.
     */
    public CompletionStage<TagPeer> addPeer() {
        return peers.add();
    }

    /** A receive for exactly that tag. */
    public TagReceive receive(long tag, TagBuffer into) {
        return receive(tag, TagAdd.EXACTLY, into);
    }

    /**
     * A receive for a message whose tag has the same bits where the mask has one. VerbsException: EINVAL when the endpoint is closed,
     * and for a buffer of a region of no process's addresses, to which the program can't copy; ENOMEM where too many wait; EIO when the
     * endpoint has failed.
     */
    public TagReceive receive(long tag, long mask, TagBuffer into) {
        into.checkReach();
        PendingReceive[] made = new PendingReceive[1];
        tell(() -> {
            if (closing) {
                throw VerbsException.invalid(CLOSED);
            }
            broken.ifPresent(reason -> {
                throw failure(reason);
            });
            if (machine.waiting() >= attributes.maxReceives()) {
                throw new VerbsException(Errno.ENOMEM, attributes.maxReceives() + " receives wait for a message");
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
        track(() -> "taking back a receive of " + this, () -> false, receive.cancelled);
        tell(() -> machine.cancel(receive));
        return receive.cancelled.minimalCompletionStage();
    }

    /** How messages came until now. */
    public TagStatistics statistics() {
        lock.lock();
        try {
            return machine.statistics();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes its connections and what it made; receives that wait fail with ECANCELED. Closing again waits for the same end, or tries
     * again where something refused to be closed.
     */
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
            case TM_ADD, TM_SYNC -> tell(() -> machine.operationEnded(syncRequested(completion)));
            case TM_DEL -> deletionEnded(completion);
            case TM_NO_TAG -> delivery.untagged(completion);
            default -> received(completion);
        }
    }

    private static boolean syncRequested(WorkCompletion completion) {
        return completion.tagging().orElse(TagInfo.NONE).syncRequested();
    }

    private void deletionEnded(WorkCompletion completion) {
        tell(() -> {
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
        message.ifPresentOrElse(found -> tell(() -> machine.unexpected(found)), () -> {
            repost(place);
            tell(machine::unexpectedFailed);
        });
    }

    private void expected(WorkCompletion completion) {
        TagInfo said = completion.tagging().orElse(TagInfo.NONE);
        tell(() -> {
            PendingReceive receive = listed.get(completion.workId());
            if (receive == null || broken.isPresent()) {
                return List.of();
            }
            boolean isFirst = completion.isSuccess() && said.matched() && !said.dataValid();
            if (isFirst) {
                machine.matched(receive, said.info().orElseThrow());
                return List.of();
            }
            listed.remove(receive.number);
            if (completion.isSuccess()) {
                return machine.arrived(receive, said.info(), (int) completion.lengthBytes());
            }
            return completion.status() == Status.TM_RNDV_INCOMPLETE
                            && said.info().isPresent()
                    ? machine.left(
                            receive,
                            UnexpectedMessage.left(
                                    receive.buffer.begin(resources.process(), completion.lengthBytes()),
                                    completion,
                                    said.info().get()))
                    : machine.failed(receive, completion.status());
        });
    }

    // --- acts ---

    /** What the adapter is told is told under the lock, as its order counts; callers are answered behind it. */
    private void tell(Supplier<List<TagAction>> input) {
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

    /** What comes of it: whatever the adapter refuses ends something, and nothing waits for what was not done. */
    private List<TagAction> operated(TagAction act) {
        if (closing || broken.isPresent()) {
            return List.of(); // what is open ends with it
        }
        try {
            return operate(act);
        } catch (RuntimeException refused) {
            return breaks(TagDelivery.typed("its queue refuses", refused));
        }
    }

    private void fails(VerbsException reason) {
        tell(() -> breaks(reason));
    }

    private static VerbsException failure(VerbsException reason) {
        return new VerbsException(Errno.EIO, "the endpoint has failed: " + reason.getMessage(), reason);
    }

    /** What the adapter refuses once, it refuses from now on. */
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
            fails(TagDelivery.typed("its queue refuses a buffer", refused));
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
                                .signaled());
            }
            case TagAction.Sync(int handled) ->
                resources.queue().sync(TagSync.of(0, handled).signaled());
            case TagAction.Answer answer -> {}
        }
        return List.of();
    }

    /**
     * It is listed when it has its handle, and not before. What its region refuses is its own end, and so is that there is no room for
     * it: others go on.
     */
    private List<TagAction> add(PendingReceive receive, OptionalInt handled) {
        TagAdd add;
        try {
            add = TagAdd.of(receive.number, Receive.of(receive.number, receive.buffer.slice()), receive.tag)
                    .masked(receive.mask)
                    .signaled();
        } catch (RuntimeException unusable) {
            return machine.notAdded(receive, TagDelivery.typed("its buffer can't be used", unusable));
        }
        try {
            receive.handle = resources.queue().add(handled.isPresent() ? add.handled(handled.getAsInt()) : add);
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
