// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.WorkQueue;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;

/** The caller's side of a shared receive queue. */
public final class SharedReceiveHandle implements SharedReceiveQueue, ActorHandle, PageHolder {
    // rule rendezvous-dc
    /** What asks for data that messages over DC left with their senders. */
    public interface Initiator {
        /** There is none. */
        Initiator NONE = (order, cause) -> {
            throw new IllegalStateException("the tag-matching queue has no initiator");
        };

        void fetch(FetchOrder order, long cause);
    }

    private final String adapter;
    private final int number;
    private final int domain;
    private final int shard;
    private final Optional<XrcSrqAttributes> xrcAttributes;
    private final Optional<TagQueueParts> tags;
    private final int maxSge;
    private final ReceiveSlots slots;

    @MutationPoint("shared-receive-handle.door")
    private final CommandSender<SharedReceiveActor.Command> door;

    private final VerbCalls verbs;
    private volatile Initiator initiator = Initiator.NONE;
    private volatile boolean closed;
    private volatile AllocatedPages buffer;

    SharedReceiveHandle(
            String adapter,
            int number,
            SharedReceiveBlueprint blueprint,
            ReceiveSlots slots,
            CommandSender<SharedReceiveActor.Command> door) {
        this.adapter = adapter;
        this.number = number;
        this.domain = blueprint.domain();
        this.shard = blueprint.shard();
        this.xrcAttributes = blueprint.xrcAttributes();
        this.tags = blueprint.tags();
        this.maxSge = blueprint.capacity().maxSge();
        this.buffer = blueprint.buffer();
        this.slots = slots;
        this.verbs = blueprint.events().verbs();
        this.door = door;
    }

    /** Name of the adapter that made it. */
    public String adapter() {
        return adapter;
    }

    /** Number of the protection domain whose keys its buffers need. */
    public int domain() {
        return domain;
    }

    // rule xrc-srq
    /** Requests of XRC name it. */
    public boolean isNamed() {
        return xrcAttributes.isPresent();
    }

    /** Where each message ends that took a receive of it; only if peers name it, or it compares tags. */
    public CompletionQueueHandle completions() {
        return xrcAttributes
                .map(XrcSrqAttributes::completions)
                .or(() -> tags.map(TagQueueParts::completions))
                .orElseThrow();
    }

    public ActorRef<SharedReceiveActor.Command> actor() {
        return door.actor();
    }

    /** A queue pair starts to use it; VerbsException (EINVAL) if it is closed. From then on destroying it is refused. */
    @MutationPoint("shared-receive-handle.attach")
    public void attach(SrqUser user) {
        if (!attaches(user)) {
            throw door.closed();
        }
    }

    /** The same; false if it is closed. */
    public boolean attaches(SrqUser user) {
        return door.tell(new SharedReceiveActor.Attach(user));
    }

    @MutationPoint("shared-receive-handle.detach")
    public void detach(SrqUser user) {
        door.actor().tell(new SharedReceiveActor.Detach(user));
    }

    /** Asks for one buffer, which the user is told of. */
    public void take(SrqUser user) {
        door.actor().tell(new SharedReceiveActor.Take(user));
    }

    /** A buffer that was taken and not used. */
    public void giveBack(Receive receive) {
        door.actor().tell(new SharedReceiveActor.GiveBack(receive));
    }

    /** It compares tags. */
    public boolean matchesTags() {
        return tags.isPresent();
    }

    /**
     * Asks what a message gets, which the user is told of; only if it compares tags.
     *
     * @param queuePair over which it comes
     * @param cause number of the event of its coming
     */
    public void find(TagOpening opening, int queuePair, long cause, SrqUser user) {
        door.actor().tell(new SharedReceiveActor.Find(opening, queuePair, cause, user));
    }

    /** The user has not heard the answer to what it asked last, and never will: what that gives it stays here. */
    public void withdraw(int queuePair, SrqUser user) {
        door.actor().tell(new SharedReceiveActor.Withdraw(queuePair, user));
    }

    /** It has an initiator of its own from now on; set before anything uses it. */
    public void fetchBy(Initiator own) {
        initiator = own;
    }

    /** It has an initiator of its own. */
    public boolean hasInitiator() {
        return initiator != Initiator.NONE;
    }

    /**
     * Has its initiator fetch; only if it has one.
     *
     * @param cause number of the event that it follows from
     */
    public void fetch(FetchOrder order, long cause) {
        initiator.fetch(order, cause);
    }

    /** A message over that queue pair will not come that was given that. */
    public void giveBack(TagMatch match, int queuePair) {
        door.actor().tell(new SharedReceiveActor.Unmatch(match, queuePair));
    }

    /**
     * What became of a message is to be written.
     *
     * @param last no more is to come of it
     */
    public void complete(TagMatch match, WorkCompletion completion, boolean last, boolean solicited) {
        door.actor().tell(new SharedReceiveActor.Complete(match, completion, last, solicited));
    }

    /** Whose slots a receive's completion frees. */
    public SlotOwner slots() {
        return slots;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public SrqCapacity capacity() {
        return SrqCapacity.of(slots.capacity()).withMaxSge(maxSge);
    }

    @Override
    public void postReceive(Receive receive) {
        checkOpen();
        verbs.check(Verb.POST_SRQ_RECV, door);
        if (receive.local().size() > maxSge) {
            throw VerbsException.invalid(
                    "a receive of " + receive.local().size() + " elements; " + maxSge + " are allowed");
        }
        if (!slots.take()) {
            throw new VerbsException(
                    Errno.ENOMEM, "the shared receive queue of " + slots.capacity() + " buffers is full");
        }
        ResourceAudit audit = door.callers().audit();
        if (audit.followsBuffers()) {
            audit.posted(new WorkQueue(adapter, number, true, slots.capacity(), door), receive);
        }
        door.actor().tell(new SharedReceiveActor.Post(receive));
    }

    void checkOpen() {
        if (closed) {
            throw VerbsException.invalid("shared receive queue " + number + " was destroyed or is in error");
        }
    }

    @Override
    public CompletionStage<Void> armLimit(int limit) {
        door.callers().audit().limited(adapter, number, limit);
        return verbs.begin(
                Verb.MODIFY_SRQ, door, () -> door.ask(reply -> new SharedReceiveActor.ArmLimit(limit, reply)));
    }

    @Override
    public CompletionStage<Void> resize(int maxWr) {
        return verbs.begin(Verb.MODIFY_SRQ, door, () -> door.ask(reply -> new SharedReceiveActor.Resize(maxWr, reply)));
    }

    @Override
    public CompletionStage<SrqSnapshot> query() {
        return verbs.begin(Verb.QUERY_SRQ, door, () -> door.ask(SharedReceiveActor.Query::new));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs.begin(Verb.DESTROY_SRQ, door, this::end);
    }

    /** Destroys it without being asked to: it was never its program's. */
    public CompletionStage<Void> end() {
        return door.close(SharedReceiveActor.Destroy::new);
    }

    VerbCalls verbs() {
        return verbs;
    }

    @Override
    public CommandSender<SharedReceiveActor.Command> door() {
        return door;
    }

    /** What it stood on goes back. */
    void resized(AllocatedPages other) {
        AllocatedPages before = buffer;
        buffer = other;
        before.release();
    }

    /** It is gone, and its pages go back; again does nothing. */
    void gone() {
        closed();
        buffer.release();
    }

    @Override
    public AllocatedPages buffer() {
        return buffer;
    }

    @Override
    public PageLayout pages() {
        return buffer.layout();
    }

    /** Nothing can be posted any more. */
    void closed() {
        closed = true;
    }

    @Override
    public String toString() {
        return describe() + " of " + adapter;
    }
}
