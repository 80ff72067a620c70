// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.WorkQueue;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.srq.TagQueue;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.work.CheckedList;
import org.hcaactors.adapter.work.SharedReceiveSource;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Handle of a shared receive queue. */
public final class SharedReceiveHandle implements SharedReceiveQueue, SharedReceiveSource, ActorHandle, PageHolder {
    // rule rendezvous-dc
    /** Fetches the data of rendezvous messages that arrived over DC. */
    public interface Initiator {
        /** No initiator. */
        Initiator NONE = (order, cause) -> {
            throw new IllegalStateException("the tag-matching queue has no initiator");
        };

        void fetch(FetchOrder order, long cause);
    }

    private final String adapter;
    private final int number;
    private final int domain;
    private final int shard;
    private final SrqKind kind;
    private final int maxSge;
    private final ReceiveSlots slots;
    private final SharedReceives receives;
    private final Optional<TagQueue> tags;
    private final AdapterTrace trace;
    private final EventSink events;

    @MutationPoint("shared-receive-handle.door")
    private final CommandSender<SharedReceiveActor.Command> commandSender;

    private final VerbCalls verbs;
    private volatile Initiator initiator = Initiator.NONE;
    private volatile boolean closed;
    private volatile AllocatedPages buffer;

    SharedReceiveHandle(
            int number,
            SharedReceiveBlueprint blueprint,
            ReceiveSlots slots,
            SharedReceives receives,
            Optional<TagQueue> tags,
            AdapterTrace trace,
            CommandSender<SharedReceiveActor.Command> commandSender) {
        this.adapter = trace.port();
        this.receives = receives;
        this.tags = tags;
        this.trace = trace;
        this.events = blueprint.events();
        this.number = number;
        this.domain = blueprint.domain();
        this.shard = blueprint.shard();
        this.kind = blueprint.srqKind();
        this.maxSge = blueprint.capacity().maxSge();
        this.buffer = blueprint.buffer();
        this.slots = slots;
        this.verbs = blueprint.events().verbs();
        this.commandSender = commandSender;
    }

    /** Returns the name of its adapter. */
    public String adapter() {
        return adapter;
    }

    @Override
    public int domain() {
        return domain;
    }

    // rule xrc-srq
    /** True if it is an XRC queue, which XRC requests name. */
    public boolean isNamed() {
        return kind instanceof XrcSrqAttributes;
    }

    /** Returns the completion queue of messages that took its receives; only for XRC and tag-matching queues. */
    public CompletionQueueHandle completions() {
        return kind.completions().orElseThrow();
    }

    /**
     * Attaches a queue pair; from then on destroying the queue is refused.
     *
     * @throws VerbsException EINVAL if it is closed
     */
    @MutationPoint("shared-receive-handle.attach")
    public void attach(SrqUser user) {
        if (!attaches(user)) {
            throw commandSender.closedException();
        }
    }

    /** Attaches a queue pair; false if it is closed. */
    public boolean attaches(SrqUser user) {
        return commandSender.tell(new SharedReceiveActor.Attach(user));
    }

    @MutationPoint("shared-receive-handle.detach")
    public void detach(SrqUser user) {
        commandSender.actor().tell(new SharedReceiveActor.Detach(user));
    }

    @Override
    public @Nullable Receive take() {
        return receives.take();
    }

    @Override
    public void taken(Receive receive) {
        raiseLimit();
    }

    // rule receive-limit
    /** Raises SRQ_LIMIT_REACHED if the limit was reached. Any thread. */
    public void raiseLimit() {
        Optional<EventDetail.BelowLimit> left = receives.reached();
        if (left.isPresent()) {
            trace.raise(new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, number), left.get(), events);
        }
    }

    @Override
    public void putBack(Receive receive) {
        receives.putBack(receive);
    }

    @Override
    public boolean matchesTags() {
        return tags.isPresent();
    }

    /** Returns its tag list; only if it matches tags. */
    public TagQueue tags() {
        return tags.orElseThrow();
    }

    /** Sets its own initiator; called before the queue is used. */
    public void fetchBy(Initiator own) {
        initiator = own;
    }

    /** True if it has its own initiator. */
    public boolean hasInitiator() {
        return initiator != Initiator.NONE;
    }

    /**
     * Passes the order to its initiator; only if it has one.
     *
     * @param cause id of the causing event
     */
    public void fetch(FetchOrder order, long cause) {
        initiator.fetch(order, cause);
    }

    /** Returns the owner of the slots that completions of its receives free. */
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
        check(receive);
        if (!slots.take()) {
            throw full();
        }
        try {
            traced(receive);
        } finally {
            // Add it even if the trace throws: its slot is taken.
            receives.add(receive);
        }
    }

    // rule post-list
    @Override
    public void postReceive(List<Receive> posted) {
        CheckedList<Receive> checked = CheckedList.of(posted, slots.capacity(), this::full, each -> {
            check(each);
            return each;
        });
        int count = slots.take(checked.elements().size());
        List<Receive> ready = checked.elements().subList(0, count);
        try {
            ready.forEach(this::traced);
        } finally {
            receives.addAll(ready);
        }
        checked.end(count, this::full);
    }

    private void check(Receive receive) {
        checkOpen();
        verbs.check(Verb.POST_SRQ_RECV, commandSender);
        if (receive.local().size() > maxSge) {
            throw VerbsException.invalid(
                    "the receive has " + receive.local().size() + " elements; at most " + maxSge + " are allowed");
        }
    }

    private VerbsException full() {
        return new VerbsException(
                Errno.ENOMEM, "the shared receive queue of " + slots.capacity() + " receives is full");
    }

    /** Notifies audit and trace of a receive that has a slot, before it can be taken: its completion is later in the trace. */
    private void traced(Receive receive) {
        ResourceAudit audit = commandSender.callers().audit();
        if (audit.followsBuffers()) {
            audit.posted(new WorkQueue(adapter, number, true, slots.capacity(), commandSender), receive);
        }
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.SharedReceivePosted(
                            at, trace.port(), Element.sharedReceives(number), receive.id(), receive.lengthBytes()));
        }
    }

    void checkOpen() {
        if (closed) {
            throw VerbsException.invalid("shared receive queue " + number + " was destroyed or is in error");
        }
    }

    @Override
    public CompletionStage<Void> armLimit(int limit) {
        commandSender.callers().audit().limited(adapter, number, limit);
        return verbs.begin(
                Verb.MODIFY_SRQ,
                commandSender,
                () -> commandSender.ask(reply -> new SharedReceiveActor.ArmLimit(limit, reply)));
    }

    @Override
    public CompletionStage<Void> resize(int maxWr) {
        return verbs.begin(
                Verb.MODIFY_SRQ,
                commandSender,
                () -> commandSender.ask(reply -> new SharedReceiveActor.Resize(maxWr, reply)));
    }

    @Override
    public CompletionStage<SrqSnapshot> query() {
        return verbs.begin(Verb.QUERY_SRQ, commandSender, () -> commandSender.ask(SharedReceiveActor.Query::new));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs.begin(Verb.DESTROY_SRQ, commandSender, this::end);
    }

    /** Destroys the queue without a verb of the program, which never received it. */
    public CompletionStage<Void> end() {
        return commandSender.close(SharedReceiveActor.Destroy::new);
    }

    VerbCalls verbs() {
        return verbs;
    }

    @Override
    public CommandSender<SharedReceiveActor.Command> commandSender() {
        return commandSender;
    }

    /** Replaces the pages and releases the old ones. */
    void resized(AllocatedPages other) {
        AllocatedPages before = buffer;
        buffer = other;
        before.release();
    }

    /** Refuses posts and releases the pages; idempotent. */
    void releasePages() {
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

    /** Refuses further posts. */
    void closed() {
        closed = true;
    }

    @Override
    public String toString() {
        return describe() + " of " + adapter;
    }
}
