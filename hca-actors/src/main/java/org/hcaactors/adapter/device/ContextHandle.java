package org.hcaactors.adapter.device;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.ProtectionDomain;

/** An adapter opened by a process. */
final class ContextHandle implements DeviceContext {
    private final AdapterHandle adapter;
    private final ProcessHandle process;
    private final CompletionStage<ActorRef<EventStreamActor.Command>> events;

    ContextHandle(AdapterHandle adapter, ProcessHandle process) {
        this.adapter = adapter;
        this.process = process;
        Reply<ActorRef<EventStreamActor.Command>> reply = reply();
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
    public CompletionStage<CompletionQueue> createCq(int entries) {
        Reply<CompletionQueue> reply = reply();
        adapter.actor().tell(new AdapterActor.CreateCq(entries, this::raise, reply));
        return reply.stage();
    }

    @Override
    public Flow.Publisher<AsyncEvent> asyncEvents() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            events.thenAccept(stream -> stream.tell(new EventStreamActor.Subscribe(subscriber)));
        };
    }

    void raise(AsyncEvent event) {
        events.thenAccept(stream -> stream.tell(new EventStreamActor.Raised(event)));
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
