// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.messages;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Tagging;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages with a tag, and receives those whose tags a receive waits for, as MPI has it: of two receives that wait for a
 * message the older gets it; of two messages of one sender that a receive waits for, it gets the older. The adapter compares, puts
 * data straight into the buffer, and fetches long ones by itself; what it can't, the program does, and nobody sees the difference
 * but in {@link #figures}.
 *
 * <p>Buffers are of regions of this endpoint's protection domain: what is sent needs REMOTE_READ where it is longer than {@link
 * TagEndpointDescription#longestEager}, what is received into LOCAL_WRITE. Nothing checks that at the call; the adapter does when the
 * message comes, and ends the connection.
 *
 * <p>Threads: any. Stages complete on the callers' executor. Limits: {@link TagEndpointDescription}. Connections are reliable ones
 * (RC). A message that is longer than the buffer that waits for it, and short enough to bring its data, ends its connection, as it does
 * on hardware.
 */
public final class TagEndpoint {
    static final String CLOSED = "the endpoint is closed";

    private final TagResources resources;
    private final TagEndpointDescription terms;
    private final TagMachine machine;
    private final ReentrantLock lock = new ReentrantLock();
    private final TagPeers peers;

    /** Receives that the adapter knows, by the numbers of their completions. */
    private final Map<Long, Awaited> listed = new HashMap<>();

    /** Those that are being taken out of its list. */
    private final Map<Long, Awaited> deleted = new HashMap<>();

    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private boolean closing;

    /** What the adapter refused. */
    private Optional<VerbsException> broken = Optional.empty();

    TagEndpoint(TagResources resources, TagEndpointDescription terms) {
        this.resources = resources;
        peers = new TagPeers(resources);
        this.terms = terms;
        machine = new TagMachine(resources.queue().maxTags(), resources.queue().maxOperations(), terms.longestEager());
        for (int place = 0; place < terms.maxUnexpected(); place++) {
            resources.repost(place);
        }
        resources.completions().completions().subscribe(Subscribers.forEach(this::completed));
    }

    /**
     * Makes what an endpoint needs, in that domain: EOPNOTSUPP where the adapter compares no tags, EINVAL beyond what it has, ENOMEM
     * where its host has no memory. Where it fails, what was made is closed.
     */
    public static CompletionStage<TagEndpoint> open(ProtectionDomain domain, TagEndpointDescription wanted) {
        return TagResources.make(domain, wanted).thenApply(made -> new TagEndpoint(made, wanted));
    }

    /** Makes one end of a connection to another endpoint. Fails with VerbsException: EINVAL when the endpoint is closed. */
    public CompletionStage<TagPeer> addPeer() {
        return peers.add();
    }

    /** A receive for exactly that tag. */
    public TagReceive receive(long tag, TagBuffer into) {
        return receive(tag, TagAdd.EXACTLY, into);
    }

    /**
     * A receive for a message whose tag has the same bits where the mask has one. VerbsException: EINVAL when the endpoint is closed,
     * ENOMEM where too many wait.
     */
    public TagReceive receive(long tag, long mask, TagBuffer into) {
        Awaited[] made = new Awaited[1];
        tell(() -> {
            if (closing) {
                throw VerbsException.invalid(CLOSED);
            }
            broken.ifPresent(why -> {
                throw new VerbsException(Errno.EIO, "the endpoint has failed: " + why.getMessage());
            });
            if (machine.waiting() >= terms.maxReceives()) {
                throw new VerbsException(Errno.ENOMEM, terms.maxReceives() + " receives wait for a message");
            }
            made[0] = machine.newReceive(tag, mask, into);
            return machine.receive(made[0]);
        });
        return new TagReceive(this, Objects.requireNonNull(made[0]));
    }

    CompletionStage<Boolean> cancel(Awaited receive) {
        tell(() -> machine.cancel(receive));
        return receive.cancelled.minimalCompletionStage();
    }

    /** How messages came until now. */
    public TagFigures figures() {
        lock.lock();
        try {
            return machine.figures();
        } finally {
            lock.unlock();
        }
    }

    /** Closes its connections and what it made; receives that wait fail with ECANCELED. Closing again waits for the same end. */
    public CompletionStage<Void> closeAsync() {
        List<Awaited> waiting;
        lock.lock();
        try {
            if (closing) {
                return closed.minimalCompletionStage();
            }
            closing = true;
            waiting = new ArrayList<>(listed.values());
            waiting.addAll(machine.withoutMessage());
        } finally {
            lock.unlock();
        }
        peers.closeAsync().thenCompose(done -> resources.closeAsync()).whenComplete((done, why) -> ended(waiting, why));
        return closed.minimalCompletionStage();
    }

    private void ended(List<Awaited> waiting, @Nullable Throwable why) {
        waiting.forEach(each -> {
            each.stage.completeExceptionally(new VerbsException(Errno.ECANCELED, CLOSED));
            each.cancelled.complete(true);
        });
        if (why == null) {
            closed.complete(null);
        } else {
            closed.completeExceptionally(why);
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
            case TM_NO_TAG -> untagged(completion);
            default -> received(completion);
        }
    }

    private static boolean syncRequested(WorkCompletion completion) {
        return completion.tagging().orElse(Tagging.NONE).syncRequested();
    }

    private void deletionEnded(WorkCompletion completion) {
        tell(() -> {
            Awaited receive = deleted.remove(completion.workId());
            if (receive == null || broken.isPresent()) {
                return List.of();
            }
            if (completion.isSuccess()) {
                listed.remove(receive.number);
            }
            return machine.deletionEnded(receive, completion.isSuccess(), syncRequested(completion));
        });
    }

    /** A peer has fetched something, or speaks another language. */
    private void untagged(WorkCompletion completion) {
        int place = place(completion);
        if (completion.isSuccess()) {
            TagHeader.read(ByteBuffer.wrap(resources.message(place, TagHeader.BYTES)))
                    .filter(header -> header.operation() == TagHeader.Operation.FINISHED)
                    .ifPresent(header -> peers.over(completion.qpNumber()).ifPresent(peer -> peer.finished(header)));
        }
        repost(place);
    }

    /** Own buffers have negative numbers. */
    private static int place(WorkCompletion completion) {
        return Math.toIntExact(-1 - completion.workId());
    }

    private void received(WorkCompletion completion) {
        if (completion.workId() < 0) {
            unexpected(completion);
        } else {
            expected(completion);
        }
    }

    private void unexpected(WorkCompletion completion) {
        int place = place(completion);
        if (completion.kind() != CompletionKind.TM_RECV) {
            repost(place);
            return;
        }
        Optional<Surprise> message = completion.isSuccess()
                ? Surprise.unexpected(place, completion, resources.message(place, completion.lengthBytes()))
                : Optional.empty();
        message.ifPresentOrElse(found -> tell(() -> machine.unexpected(found)), () -> {
            repost(place);
            tell(machine::unexpectedFailed);
        });
    }

    private void expected(WorkCompletion completion) {
        Tagging said = completion.tagging().orElse(Tagging.NONE);
        tell(() -> {
            Awaited receive = listed.get(completion.workId());
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
                            Surprise.left(
                                    receive.buffer, completion, said.info().get()))
                    : machine.failed(receive, completion.status());
        });
    }

    // --- acts ---

    /** What the adapter is told is told under the lock, as its order counts; callers are answered behind it. */
    private void tell(Supplier<List<TagAct>> input) {
        List<TagAct> acts = new ArrayList<>();
        lock.lock();
        try {
            List<TagAct> todo = input.get();
            acts.addAll(todo);
            try {
                todo.forEach(this::operate);
            } catch (VerbsException refused) {
                acts.addAll(breaks(refused));
            }
        } finally {
            lock.unlock();
        }
        acts.forEach(this::answer);
    }

    /** What the adapter refuses once, it refuses from now on. */
    private List<TagAct> breaks(VerbsException why) {
        if (broken.isPresent() || closing) {
            return List.of();
        }
        broken = Optional.of(why);
        List<Awaited> all = List.copyOf(listed.values());
        listed.clear();
        return machine.breaks(all, why);
    }

    private void repost(int place) {
        try {
            resources.repost(place);
        } catch (VerbsException refused) {
            tell(() -> breaks(refused));
        }
    }

    private void operate(TagAct act) {
        switch (act) {
            case TagAct.Add(Awaited receive, OptionalInt handled) -> {
                listed.put(receive.number, receive);
                TagAdd add = TagAdd.of(receive.number, receiveOf(receive), receive.tag)
                        .masked(receive.mask)
                        .signaled();
                receive.handle = resources.queue().add(handled.isPresent() ? add.handled(handled.getAsInt()) : add);
            }
            case TagAct.Delete(Awaited receive) -> {
                deleted.put(receive.number, receive);
                resources
                        .queue()
                        .delete(TagDelete.of(receive.number, Objects.requireNonNull(receive.handle))
                                .signaled());
            }
            case TagAct.Sync(int handled) ->
                resources.queue().sync(TagSync.of(0, handled).signaled());
            case TagAct.Copy copy -> {}
            case TagAct.Fetch fetch -> {}
            case TagAct.Truncate truncate -> {}
            case TagAct.Finish finish -> {}
            case TagAct.Fail fail -> {}
            case TagAct.Cancelled cancelled -> {}
        }
    }

    private static Receive receiveOf(Awaited receive) {
        return Receive.of(receive.number, receive.buffer.slice());
    }

    private void answer(TagAct act) {
        switch (act) {
            case TagAct.Add add -> {}
            case TagAct.Delete delete -> {}
            case TagAct.Sync sync -> {}
            case TagAct.Copy(Surprise message, Awaited receive) -> copy(message, receive);
            case TagAct.Fetch(Surprise message, Awaited receive) -> fetch(message, receive);
            case TagAct.Truncate(Surprise message, Awaited receive) -> truncate(message, receive);
            case TagAct.Finish(Awaited receive, TagArrival arrival) -> receive.stage.complete(arrival);
            case TagAct.Fail(Awaited receive, RuntimeException why) -> receive.stage.completeExceptionally(why);
            case TagAct.Cancelled(Awaited receive, boolean done) -> {
                receive.cancelled.complete(done);
                if (done) {
                    receive.stage.completeExceptionally(
                            new VerbsException(Errno.ECANCELED, "the receive was cancelled"));
                }
            }
        }
    }

    private void copy(Surprise message, Awaited receive) {
        try {
            receive.buffer.write(resources.data(message.place(), message.lengthBytes()));
            receive.stage.complete(
                    new TagArrival(message.header().tag(), message.lengthBytes(), TagArrival.Way.COPIED));
        } catch (RuntimeException gone) {
            // The program's memory, which it has given back meanwhile.
            receive.stage.completeExceptionally(gone);
        } finally {
            repost(message.place());
        }
    }

    /** Its place is free when it is fetched: so no more are fetched at a time than there are places. */
    private void fetch(Surprise message, Awaited receive) {
        CompletionStage<Void> fetched = peers.over(message.queuePair())
                .map(peer -> peer.fetch(message, receive.buffer))
                .orElseGet(() -> CompletableFuture.failedStage(new VerbsException(Errno.EIO, "its sender is gone")));
        fetched.whenComplete((done, why) -> {
            repost(message.place());
            if (why == null) {
                receive.stage.complete(new TagArrival(
                        message.header().tag(), message.lengthBytes(), TagArrival.Way.FETCHED_BY_PROGRAM));
            } else {
                receive.stage.completeExceptionally(why);
            }
        });
    }

    private void truncate(Surprise message, Awaited receive) {
        repost(message.place());
        if (message.header().operation() == TagHeader.Operation.RENDEZVOUS) {
            peers.over(message.queuePair()).ifPresent(peer -> peer.tell(message));
        }
        receive.stage.completeExceptionally(VerbsException.invalid("a message of "
                + (message.isLengthKnown() ? message.lengthBytes() + "" : "more") + " bytes for a buffer of "
                + receive.buffer.lengthBytes()));
    }

    @Override
    public String toString() {
        return terms.toString();
    }
}
