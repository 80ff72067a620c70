// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.xrc.XrcDomain;
import org.hcaactors.api.xrc.XrcDomainDescription;

/**
 * An adapter opened by a process ({@code ibv_context}). What is created here is used here: a verb that is given an object of
 * another context, though it be of the same process and adapter, or a closed one, refuses with EINVAL. A work request names
 * regions, windows and indirect keys by their keys alone: whether these are there still is judged when it is carried out.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: an adapter has 2^24 numbers of queue pairs and
 * of memory keys, then ENOMEM; {@value #EVENT_BACKLOG} events wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DeviceContext extends Handle {
    Adapter adapter();

    HostProcess process();

    /** What was created here and is still open. */
    LeakReport openObjects();

    /**
     * Closes everything that is still open here, in order: queue pairs (flushed), address handles, shared receive queues,
     * windows, indirect keys and their list memory, regions, completion queues, channels, protection domains, XRC domains; then {@link
     * #asyncEvents} completes. What is being created is waited for and closed, too; what would be created from then on is
     * refused with EINVAL.
     */
    @Override
    CompletionStage<Void> closeAsync();

    /** {@code ibv_alloc_pd}; VerbsException (EINVAL) once the context is closed. */
    ProtectionDomain allocatePd();

    /**
     * Opens an XRC domain ({@code ibv_open_xrcd}), one that other processes of the host may have open, too, if it is that of a
     * file. EOPNOTSUPP where the profile's {@code sharedReceives()} have none; EAGAIN where it is to be there and is not, EINVAL
     * where it is not to be there and is.
     */
    CompletionStage<XrcDomain> openXrcDomain(XrcDomainDescription requested);

    /** Creates a completion queue; EINVAL unless {@code entries} is 1 to the profile's limit. */
    default CompletionStage<CompletionQueue> createCq(int entries) {
        return createCq(CqDescription.of(entries));
    }

    /** Creates a completion queue; EINVAL above the adapter's limits of entries or vectors, or with a channel not of here. */
    CompletionStage<CompletionQueue> createCq(CqDescription requested);

    /** Creates a completion channel ({@code ibv_create_comp_channel}). */
    CompletionStage<CompletionChannel> createChannel();

    /** The adapter's clock now, in ticks of the profile's {@code clockKilohertz} ({@code ibv_query_rt_values_ex}). */
    long clockTicks();

    /**
     * Asynchronous events of this context's objects. One subscription at a time; at most {@value #EVENT_BACKLOG} events
     * wait for demand, then the oldest of them is dropped. An event is acknowledged when {@code onNext} has returned;
     * destroying its object lasts until then.
     */
    Flow.Publisher<AsyncEvent> asyncEvents();

    /**
     * The next asynchronous event as a stage ({@code ibv_get_async_event}), acknowledged when the actions that hang on it
     * have run; EBUSY while a subscription polls.
     */
    CompletionStage<AsyncEvent> nextAsyncEvent();

    int EVENT_BACKLOG = 1024;
}
