// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.window.WindowPosting;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.WorkQueue;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.work.CheckedList;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DeadlineExceededException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The two work queues of a queue pair, as callers use them. Posting makes the checks of the mlx5 library (rules post-elements,
 * post-full) in the caller's thread, then writes the ring and rings the bell.
 */
public final class WorkQueues implements WorkSlots {
    /** The handles, by the interface of their verbs. */
    private static final Map<Class<? extends QueuePair>, Function<WorkQueues, QueuePair>> HANDLES = Map.of(
            RcQueuePair.class, RcHandle::new,
            UcQueuePair.class, UcHandle::new,
            UdQueuePair.class, UdHandle::new,
            XrcQueuePair.class, XrcHandle::new,
            DcInitiator.class,
                    queues -> new DcHandle(queues, queues.plan.options().streams()));

    private final QpPlan plan;
    private final QueuePairLinks links;
    private final AllocatedPages buffer;
    private final AdapterTrace trace;
    private final CommandSender<QueuePairActor.Command> commandSender;
    private final VerbCalls verbs;
    private final ResourceAudit audit;
    private final RequestChecks checks;
    private final WorkRing<PostedRequest> sendRing;
    private final WorkRing<Receive> receiveRing;

    /** Copy of the state, written by the actor; it determines which queues accept work, as in the mlx5 library. */
    private volatile QpState state = QpState.RESET;

    private volatile boolean sendOpen;
    private volatile boolean receiveOpen;
    private volatile boolean closed;

    WorkQueues(
            QpPlan plan,
            QueuePairLinks links,
            AllocatedPages buffer,
            AdapterTrace trace,
            CommandSender<QueuePairActor.Command> commandSender) {
        this.plan = plan;
        this.links = links;
        this.buffer = buffer;
        this.trace = trace;
        this.commandSender = commandSender;
        this.verbs = links.events().verbs();
        this.audit = commandSender.callers().audit();
        this.checks = new RequestChecks(plan, links, commands(), verbs);
        this.sendRing = new WorkRing<>(plan.capacity().maxSendWr(), commands().sendBell());
        this.receiveRing =
                new WorkRing<>(plan.capacity().maxRecvWr(), commands().receiveBell());
    }

    /**
     * Returns the handle with the verbs of that interface, which the program's description names.
     *
     * @throws IllegalArgumentException if there is none: a target is created by its domain
     */
    public <Q extends QueuePair> Q as(Class<Q> verbs) {
        Function<WorkQueues, QueuePair> handle = HANDLES.get(verbs);
        if (handle == null) {
            throw new IllegalArgumentException("no queue pair has the verbs of " + verbs.getName());
        }
        return verbs.cast(handle.apply(this));
    }

    // rule rendezvous-dc
    /** Returns it as the initiator of a tag-matching queue. */
    public SharedReceiveHandle.Initiator asFetcher() {
        return commands()::fetch;
    }

    int number() {
        return plan.number();
    }

    Gid gid() {
        return plan.port().gid();
    }

    QpState state() {
        return state;
    }

    QpCapacity capacity() {
        QpCapacity sizes = plan.capacity();
        return plan.receives().isShared() ? sizes.withMaxRecvWr(0).withMaxRecvSge(0) : sizes;
    }

    @Override
    public boolean carriesData() {
        return plan.capacity().maxInlineReceiveBytes() > 0 || plan.capacity().maxInlineResultBytes() > 0;
    }

    AllocatedPages buffer() {
        return buffer;
    }

    CompletionQueue sendCq() {
        return links.sendQueue();
    }

    CompletionQueue recvCq() {
        return links.recvQueue();
    }

    Optional<SharedReceiveQueue> srq() {
        return links.receives().srq().map(queue -> queue);
    }

    QueuePairCommands commands() {
        return new QueuePairCommands(commandSender, links.memory().space());
    }

    RequestChecks checks() {
        return checks;
    }

    /** Begins a verb of its program, unless it is refused. */
    <T> CompletionStage<T> begin(Verb verb, Supplier<CompletionStage<T>> rest) {
        return verbs.begin(verb, commandSender, rest);
    }

    /** Returns the sender of commands to the queue pair. */
    public CommandSender<?> commandSender() {
        return commandSender;
    }

    /** @param action called when the queue pair is destroyed */
    public void whenClosed(Runnable action) {
        commandSender.whenClosed(action);
    }

    /** Omits the state, which may change at any time. */
    @Override
    public String toString() {
        return "queue pair " + plan.number() + " of " + trace.port() + " (" + plan.type() + ")";
    }

    String describe() {
        return plan.type() + " queue pair " + plan.number() + " in " + state;
    }

    CompletionStage<WorkCompletion> submit(WorkRequest work, @Nullable Supplier<Destination> to) {
        return submit(work, to, false);
    }

    private CompletionStage<WorkCompletion> submit(
            WorkRequest work, @Nullable Supplier<Destination> to, boolean byVerb) {
        Reply<WorkCompletion> reply = commands().reply();
        try {
            post(work, to, reply, byVerb);
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return commandSender.promise(work, reply);
    }

    // rule post-deadline
    /**
     * Posts nothing if the time is refused. A request that completes after the deadline without being flushed is not a failure.
     */
    CompletionStage<WorkCompletion> perform(Supplier<CompletionStage<WorkCompletion>> posting, Duration timeout) {
        Callers callers = commands().commandSender().callers();
        CompletableFuture<Void> deadline = callers.waiting().after(timeout, callers);
        CompletionStage<WorkCompletion> done = posting.get();
        CompletableFuture<WorkCompletion> stage = new CompletableFuture<>();
        deadline.thenRun(() -> commands().modify(QpModify.to(QpState.ERR)));
        done.whenComplete((completion, refused) -> {
            boolean late = !deadline.cancel(false);
            if (refused != null) {
                stage.completeExceptionally(refused);
            } else if (late && completion.status() == Status.WR_FLUSH_ERR) {
                stage.completeExceptionally(new DeadlineExceededException(timeout, completion));
            } else {
                stage.complete(completion);
            }
        });
        return stage.minimalCompletionStage();
    }

    void post(WorkRequest work, @Nullable Supplier<Destination> to) {
        post(work, to, null, false);
    }

    // rule window-post
    void bind(long id, MemoryWindow window, WindowBinding binding, SendFlags flags) {
        post(WindowPosting.bindOfType1(id, window, binding).withFlags(flags), null, null, true);
    }

    // rule window-post
    CompletionStage<WorkCompletion> submitBind(long id, MemoryWindow window, WindowBinding binding) {
        try {
            return submit(WindowPosting.bindOfType1(id, window, binding), null, true);
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    /** @param byVerb it binds a window of type 1, which programs cannot post as a request */
    private void post(
            WorkRequest work,
            @Nullable Supplier<Destination> to,
            @Nullable Reply<WorkCompletion> stage,
            boolean byVerb) {
        if (!sendOpen) {
            tooEarly(work, stage);
            return;
        }
        PostedRequest request = checks.accepted(work, to, stage, byVerb);
        long slot = sendRing.claim();
        if (slot < 0) {
            throw noSlot(slot, this::fullOfSends);
        }
        PostedRequest posted = request;
        try {
            posted = traced(request);
        } finally {
            // Fill it even if the trace throws: the queue pair waits for every claimed slot.
            sendRing.fill(slot, posted);
        }
    }

    private VerbsException fullOfSends() {
        return new VerbsException(
                Errno.ENOMEM, "the send queue of " + plan.capacity().maxSendWr() + " requests is full");
    }

    private VerbsException fullOfReceives() {
        return new VerbsException(
                Errno.ENOMEM, "the receive queue of " + plan.capacity().maxRecvWr() + " receives is full");
    }

    // rule post-list
    /**
     * Posts requests next to each other, with one ring of the bell.
     *
     * @param to gives the destination of a request
     * @throws PostRefusedException if one is refused
     */
    @MutationPoint("work-queues.post-list")
    <R> void postList(
            List<? extends R> requests,
            Function<? super R, WorkRequest> work,
            Function<? super R, @Nullable Supplier<Destination>> to) {
        if (!sendOpen) {
            CheckedList<R> dropped = dropped(requests, work);
            dropped.end(dropped.elements().size(), this::fullOfSends);
            return;
        }
        CheckedList<PostedRequest> checked = checked(requests, work, to);
        WorkRing.Claim slots = sendRing.putAll(checked.elements(), this::traced);
        checked.end(slots.count(), () -> noSlot(slots.first(), this::fullOfSends));
    }

    // rule post-list
    /**
     * Posts all requests or none; otherwise as {@link #postList}.
     *
     * @throws VerbsException the refusal of the first request that is refused
     */
    <R> void postWhole(
            List<? extends R> requests,
            Function<? super R, WorkRequest> work,
            Function<? super R, @Nullable Supplier<Destination>> to) {
        if (!sendOpen) {
            dropped(requests, work).whole();
            return;
        }
        List<PostedRequest> whole = checked(requests, work, to).whole();
        WorkRing.Claim slots = sendRing.putWhole(whole, this::traced);
        if (slots.count() < whole.size()) {
            throw noSlot(slots.first(), this::fullOfSends);
        }
    }

    private <R> CheckedList<PostedRequest> checked(
            List<? extends R> requests,
            Function<? super R, WorkRequest> work,
            Function<? super R, @Nullable Supplier<Destination>> to) {
        return CheckedList.of(
                requests,
                plan.capacity().maxSendWr(),
                this::fullOfSends,
                each -> checks.accepted(work.apply(each), to.apply(each), null, false));
    }

    private <R> CheckedList<R> dropped(List<? extends R> requests, Function<? super R, WorkRequest> work) {
        return CheckedList.of(requests, requests.size(), this::fullOfSends, each -> {
            tooEarly(work.apply(each), null);
            return each;
        });
    }

    /** Notifies audit and trace of a request that has a slot; returns the request that the queue pair takes. */
    private PostedRequest traced(PostedRequest request) {
        WorkRequest work = request.work();
        boolean submitted = request.stage() != null;
        if (audit.followsBuffers()) {
            audit.posted(queue(plan.capacity().maxSendWr()), work, request.kind(), checks.isSignaled(work, submitted));
        }
        long traceId = trace.enabled() ? tracePosting(work, submitted) : 0;
        QpTrace.addressed(traceId, request.extras().to(), plan, trace);
        if (request.kind() == CompletionKind.BIND_MW && work instanceof BindWindow bind) {
            WindowPosting.posted(bind);
        }
        return traceId == 0 ? request : request.tracedAs(traceId);
    }

    // rule post-full
    private VerbsException noSlot(long answer, Supplier<VerbsException> full) {
        return answer == WorkRing.CLOSED ? commandSender.closedException() : full.get();
    }

    /** IBA C10-96 requires a refusal; ConnectX accepts the request and drops it (rules post-state, post-early-dropped). */
    private void tooEarly(WorkRequest work, @Nullable Reply<WorkCompletion> stage) {
        checkNotClosed();
        QpState now = state;
        boolean early = now == QpState.RESET || now == QpState.INIT || now == QpState.RTR;
        if (!early || !plan.profile().has(Quirk.DROPS_POSTS_BEFORE_RTS)) {
            throw VerbsException.invalid(
                    "queue pair " + number() + " is in " + now + "; requests can be posted from RTS on");
        }
        if (trace.enabled()) {
            long posting = tracePosting(work, stage != null);
            trace.record(
                    posting,
                    at -> new HcaEvent.RequestDropped(at, trace.port(), Element.queuePair(number()), work.id()));
        }
        if (stage != null) {
            stage.fail(new VerbsException(
                    Errno.ECANCELED,
                    "request " + work.id() + " was dropped: queue pair " + number() + " is in " + now
                            + "; requests are sent from RTS on"));
        }
    }

    private void checkNotClosed() {
        if (closed) {
            throw commandSender.closedException();
        }
    }

    private long tracePosting(WorkRequest work, boolean submitted) {
        boolean signaled = checks.isSignaled(work, submitted);
        return trace.record(
                0, at -> new HcaEvent.WorkPosted(at, trace.port(), Element.queuePair(number()), work, signaled));
    }

    private WorkQueue queue(int capacity) {
        return new WorkQueue(trace.port(), number(), false, capacity, commandSender);
    }

    void postReceive(Receive receive) {
        checkReceiving();
        check(receive);
        long slot = receiveRing.claim();
        if (slot < 0) {
            throw noSlot(slot, this::fullOfReceives);
        }
        try {
            traced(receive);
        } finally {
            receiveRing.fill(slot, receive);
        }
    }

    // rule post-list
    /** @throws PostRefusedException if one is refused */
    void postReceives(List<Receive> receives) {
        CheckedList<Receive> checked =
                CheckedList.of(receives, plan.capacity().maxRecvWr(), this::fullOfReceives, each -> {
                    checkReceiving();
                    check(each);
                    return each;
                });
        WorkRing.Claim slots = receiveRing.putAll(checked.elements(), this::traced);
        checked.end(slots.count(), () -> noSlot(slots.first(), this::fullOfReceives));
    }

    // rule post-shared
    private void checkReceiving() {
        if (plan.kind().isInitiator()) {
            throw VerbsException.invalid("queue pair " + number() + " is an initiator: it has no receives");
        }
        if (plan.receives().isShared()) {
            throw VerbsException.invalid(
                    "queue pair " + number() + " takes its receives from a shared receive queue; post them there");
        }
        if (!receiveOpen) {
            checkNotClosed();
            throw VerbsException.invalid(
                    "queue pair " + number() + " is in " + state + "; receives can be posted from INIT on");
        }
    }

    // rule post-elements
    private void check(Receive receive) {
        verbs.check(Verb.POST_RECV, commandSender);
        if (receive.local().size() > plan.capacity().maxRecvSge()) {
            throw VerbsException.invalid("the receive has " + receive.local().size() + " elements; at most "
                    + plan.capacity().maxRecvSge() + " are allowed");
        }
        if (plan.capacity().maxInlineReceiveBytes() > 0) {
            links.memory().check(receive.local());
        }
    }

    /** Notifies audit and trace of a receive that has a slot, before it can be used: its completion is later in the trace. */
    private Receive traced(Receive receive) {
        if (audit.followsBuffers()) {
            audit.posted(queue(plan.capacity().maxRecvWr()), receive);
        }
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.ReceivePosted(
                            at, trace.port(), Element.queuePair(number()), receive.id(), receive.lengthBytes()));
        }
        return receive;
    }

    @Override
    public SlotOwner sends() {
        return sendRing.owner();
    }

    @Override
    public SlotOwner receives() {
        return receiveRing.owner();
    }

    WorkRing<PostedRequest> sendRing() {
        return sendRing;
    }

    WorkRing<Receive> receiveRing() {
        return receiveRing;
    }

    @Override
    @MutationPoint("work-queues.entered")
    public void entered(QpState now) {
        switch (now) {
            case RESET -> {
                sendOpen = false;
                receiveOpen = false;
                sendRing.reset();
                receiveRing.reset();
                receiveRing.listen();
                audit.emptied(trace.port(), number());
            }
            case INIT -> {
                receiveRing.silence();
                receiveOpen = true;
            }
            case RTS -> sendOpen = true;
            case ERR -> receiveRing.listen();
            case RTR, SQD, SQE -> {}
        }
        state = now;
    }

    /** Refuses further posts because the queue pair is destroyed; slots that are claimed already are still filled. */
    void seal() {
        closed = true;
        sendOpen = false;
        receiveOpen = false;
        sendRing.seal();
        receiveRing.seal();
        audit.emptied(trace.port(), number());
    }
}
