package org.hcaactors.adapter.device;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.completion.Ticks;
import org.hcaactors.adapter.event.CompletionChannelHandle;
import org.hcaactors.adapter.event.EventQueueActor;
import org.hcaactors.adapter.event.EventSink;
import org.hcaactors.adapter.stage.DoorHandle;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.Refusal;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** An adapter opened by a process. */
final class ContextHandle implements DeviceContext, EventSink {
    private final AdapterHandle adapter;
    private final ProcessHandle process;
    private final OpenObjects open = new OpenObjects();
    private final CompletionStage<ActorRef<EventQueueActor.Command<AsyncEvent>>> events;
    private @Nullable CompletionStage<Void> closing;

    ContextHandle(AdapterHandle adapter, ProcessHandle process) {
        this.adapter = adapter;
        this.process = process;
        events = adapter.door().ask(AdapterActor.OpenEvents::new);
    }

    @Override
    public Adapter adapter() {
        return adapter;
    }

    @Override
    public HostProcess process() {
        return process;
    }

    @Override
    public ProtectionDomain allocatePd() {
        DomainHandle domain = new DomainHandle(adapter.nextDomain(), this);
        open.add(domain, OpenObjects.Kind.DOMAIN, OpenObjects.NO_DOMAIN);
        return domain;
    }

    @Override
    public CompletionStage<CompletionQueue> createCq(CqDescription wanted) {
        return this.<CompletionQueueHandle>create(reply -> new AdapterActor.CreateCq(wanted, this, reply))
                .thenApply(queue -> track(queue, OpenObjects.Kind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN));
    }

    @Override
    public CompletionStage<CompletionChannel> createChannel() {
        return this.<CompletionChannelHandle>create(AdapterActor.CreateChannel::new)
                .thenApply(channel -> track(channel, OpenObjects.Kind.CHANNEL, OpenObjects.NO_DOMAIN));
    }

    /** Refused once this context is closed. */
    <T> CompletionStage<T> create(Function<Reply<T>, AdapterActor.Command> verb) {
        return isClosing()
                ? CompletableFuture.failedStage(closed())
                : adapter.door().ask(verb);
    }

    private boolean isClosing() {
        synchronized (open) {
            return closing != null;
        }
    }

    private VerbsException closed() {
        return VerbsException.invalid(describe() + " is closed");
    }

    /** Is reported as open until it is closed. */
    <H extends DoorHandle> H track(H handle, OpenObjects.Kind kind, int domain) {
        open.add(handle, kind, domain);
        handle.door().whenGone(() -> open.remove(handle));
        return handle;
    }

    OpenObjects open() {
        return open;
    }

    @Override
    public LeakReport openObjects() {
        return new LeakReport(open.all().stream()
                .map(handle -> new LeakReport.Leak(adapter.name(), process.name(), handle.describe()))
                .toList());
    }

    @Override
    public String describe() {
        return "context of " + process.name() + " on " + adapter.name();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        synchronized (open) {
            if (closing == null) {
                closing = closeAll();
            }
            return closing;
        }
    }

    /** Kind after kind, all of a kind at once; what refuses does not keep the rest from closing. */
    private CompletionStage<Void> closeAll() {
        CompletionStage<Void> last = CompletableFuture.completedStage(null);
        for (OpenObjects.Kind kind : OpenObjects.Kind.values()) {
            last = last.thenCompose(done -> closeEach(kind));
        }
        return last.thenCompose(done -> events)
                .thenCompose(stream -> adapter.door().<Void>ask(reply -> new AdapterActor.CloseEvents(stream, reply)))
                .thenRun(() -> process.closed(this));
    }

    private CompletionStage<Void> closeEach(OpenObjects.Kind kind) {
        return CompletableFuture.allOf(open.of(kind).stream()
                .map(handle -> handle.closeAsync().exceptionally(refused -> null))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
        adapter.door().await(closeAsync());
    }

    @Override
    public Flow.Publisher<AsyncEvent> asyncEvents() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            if (isClosing()) {
                adapter.bus().callers().execute(() -> Refusal.tell(subscriber, closed()));
            } else {
                events.thenAccept(stream -> stream.tell(new EventQueueActor.Subscribe<>(subscriber)));
            }
        };
    }

    @Override
    public CompletionStage<AsyncEvent> nextAsyncEvent() {
        if (isClosing()) {
            return CompletableFuture.failedStage(closed());
        }
        Reply<AsyncEvent> reply = reply();
        events.thenAccept(stream -> stream.tell(new EventQueueActor.Next<>(reply)));
        return reply.stage();
    }

    @Override
    public long clockTicks() {
        return Ticks.of(
                adapter.bus().clock().getAsLong(), adapter.profile().limits().clockKilohertz());
    }

    @Override
    public void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {
        events.thenAccept(stream -> stream.tell(new EventQueueActor.Settle<>(
                event -> event.kind().source() == source && event.element() == element, reply)));
    }

    @Override
    public void raise(AsyncEvent event) {
        events.thenAccept(stream -> stream.tell(new EventQueueActor.Raised<>(event)));
    }

    AdapterHandle adapterHandle() {
        return adapter;
    }

    ProcessHandle processHandle() {
        return process;
    }

    <T> Reply<T> reply() {
        return new Reply<>(adapter.bus().callers());
    }
}
