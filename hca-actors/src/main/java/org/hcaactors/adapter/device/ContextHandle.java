package org.hcaactors.adapter.device;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.completion.Ticks;
import org.hcaactors.adapter.event.EventQueueActor;
import org.hcaactors.adapter.event.EventSink;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.ProtectionDomain;

/** An adapter opened by a process. */
final class ContextHandle implements DeviceContext, EventSink {
    private final AdapterHandle adapter;
    private final ProcessHandle process;
    private final CompletionStage<ActorRef<EventQueueActor.Command<AsyncEvent>>> events;

    ContextHandle(AdapterHandle adapter, ProcessHandle process) {
        this.adapter = adapter;
        this.process = process;
        Reply<ActorRef<EventQueueActor.Command<AsyncEvent>>> reply = reply();
        adapter.actor().tell(new AdapterActor.OpenEvents(reply));
        events = reply.stage();
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
        return new DomainHandle(adapter.nextDomain(), this);
    }

    @Override
    public CompletionStage<CompletionQueue> createCq(CqDescription wanted) {
        Reply<CompletionQueue> reply = reply();
        adapter.actor().tell(new AdapterActor.CreateCq(wanted, this, reply));
        return reply.stage();
    }

    @Override
    public Flow.Publisher<AsyncEvent> asyncEvents() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            events.thenAccept(stream -> stream.tell(new EventQueueActor.Subscribe<>(subscriber)));
        };
    }

    @Override
    public CompletionStage<AsyncEvent> nextAsyncEvent() {
        Reply<AsyncEvent> reply = reply();
        events.thenAccept(stream -> stream.tell(new EventQueueActor.Next<>(reply)));
        return reply.stage();
    }

    @Override
    public CompletionStage<CompletionChannel> createChannel() {
        Reply<CompletionChannel> reply = reply();
        adapter.actor().tell(new AdapterActor.CreateChannel(reply));
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
