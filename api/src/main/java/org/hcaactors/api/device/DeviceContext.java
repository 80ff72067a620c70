package org.hcaactors.api.device;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.ProtectionDomain;

/** An adapter opened by a process ({@code ibv_context}). */
public interface DeviceContext {
    Adapter adapter();

    HostProcess process();

    ProtectionDomain allocatePd();

    /** Creates a completion queue; EINVAL unless {@code entries} is 1 to the profile's limit. */
    CompletionStage<CompletionQueue> createCq(int entries);

    /**
     * Asynchronous events of this context's objects. One subscription at a time; at most {@value #EVENT_BACKLOG} events
     * wait for demand, then the oldest of them is dropped.
     */
    Flow.Publisher<AsyncEvent> asyncEvents();

    int EVENT_BACKLOG = 1024;
}
