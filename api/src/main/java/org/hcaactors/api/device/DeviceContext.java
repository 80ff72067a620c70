// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;

/**
 * An adapter opened by a process ({@code ibv_context}). Objects created here can be used only here: a verb that receives an
 * object of another context, even of the same process and adapter, or a closed object, is refused with EINVAL. A work request
 * names regions, windows and indirect keys by their keys alone; whether the keys are still valid is checked when it is
 * executed.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: an adapter has 2^24 queue pair numbers and 2^24 memory
 * keys, then ENOMEM; {@value #EVENT_BACKLOG} events wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DeviceContext extends Handle {
    Adapter adapter();

    HostProcess process();

    /** Reports the objects created here that are still open. */
    LeakReport openObjects();

    /**
     * Closes all objects that are still open here, in this order: listeners, served ports, connections, queue pairs (flushed), address handles, shared receive
     * queues, windows, indirect keys and their list memory, regions, completion queues, channels, protection domains, XRC
     * domains; then {@link #asyncEvents} completes. Objects being created are awaited and closed too; further creation is
     * refused with EINVAL.
     */
    @Override
    CompletionStage<Void> closeAsync();

    /** Allocates a protection domain ({@code ibv_alloc_pd}); VerbsException (EINVAL) if the context is closed. */
    ProtectionDomain allocatePd();

    /**
     * Opens an XRC domain ({@code ibv_open_xrcd}); processes of a host share a domain that belongs to a file. EOPNOTSUPP if the
     * profile's {@code sharedReceives()} do not support XRC; EAGAIN if it must exist and does not; EINVAL if it must not exist
     * and does.
     */
    CompletionStage<XrcDomain> openXrcDomain(XrcDomainDescription requested);

    /** Creates a completion queue; EINVAL unless {@code entries} is 1 to the profile's limit. */
    default CompletionStage<CompletionQueue> createCq(int entries) {
        return createCq(CqDescription.of(entries));
    }

    /**
     * Creates a completion queue ({@code ibv_create_cq}); EINVAL above the adapter's limits of entries or vectors, or with a
     * channel of another context.
     */
    CompletionStage<CompletionQueue> createCq(CqDescription requested);

    /** Creates a completion channel ({@code ibv_create_comp_channel}). */
    CompletionStage<CompletionChannel> createChannel();

    /**
     * Listens for connections at a port of the adapter ({@code rdma_listen}). EADDRINUSE if another program listens there; EINVAL
     * unless the port is 1 to 65,535 and the backlog 1 to 65,536.
     *
     * @param backlog maximum number of requests that wait for the program's decision
     */
    CompletionStage<ConnectionListener> listen(int port, int backlog);

    /**
     * Connects to a listener ({@code rdma_connect}): creates a queue pair, asks the peer, and completes when both ends can send.
     *
     * <p>The name of an unresolved address is that of an adapter, an IP address, or a name that the network resolves. Fails with the
     * refusal of the queue pair; with EINVAL if the context is closed or the private data exceed 56 bytes, ENOMEM with 65,536
     * connections, and EIO if the adapter fails; or with a {@link org.hcaactors.api.connection.ConnectionException}: the peer rejected
     * (ECONNREFUSED), did not answer 16 messages (ETIMEDOUT after 101 to 118 s; some 18 minutes if its program does not decide), an end
     * was closed meanwhile (ECANCELED), the name is unknown (EHOSTUNREACH), or the adapter has no address of the IP version
     * (EADDRNOTAVAIL).
     */
    CompletionStage<Connection> connect(InetSocketAddress to, ConnectionDescription description);

    /**
     * Same as {@link #connect(InetSocketAddress, ConnectionDescription)}, but gives up after a time, with ETIMEDOUT. The peer is
     * told.
     *
     * @param timeout 0 to 24 days, on the clock of the network; IllegalArgumentException for another time
     */
    CompletionStage<Connection> connect(InetSocketAddress to, ConnectionDescription description, Duration timeout);

    /**
     * Lets peers find a queue pair for datagrams at a port ({@code rdma_listen} and {@code rdma_accept} in {@code RDMA_PS_UDP}), until
     * it is closed. EADDRINUSE if another program does so there; EINVAL unless the port is 1 to 65,535, and for a queue pair of
     * another context.
     *
     * @param qkey that of the queue pair
     */
    CompletionStage<ServedPort> serveDatagrams(int port, UdQueuePair queuePair, QKey qkey);

    /**
     * Finds the queue pair of a datagram service (SIDR; {@code rdma_connect} in {@code RDMA_PS_UDP}). Fails with a {@link
     * org.hcaactors.api.connection.ConnectionException}: nothing is served there (ECONNREFUSED), and otherwise as {@link #connect}.
     */
    CompletionStage<DatagramAddress> resolveDatagrams(InetSocketAddress service);

    /**
     * Lets peers find a DC target at a port, until it is closed; the access key is sent over the network. EADDRINUSE if another
     * program does so there; EINVAL unless the port is 1 to 65,535, for a target of another context, and for one that was never in RTR.
     */
    CompletionStage<ServedPort> serveDcTarget(int port, DcTarget target);

    /**
     * Finds the DC target that is served at a port, as {@link #resolveDatagrams} finds a queue pair. ECONNREFUSED also if what
     * another stack serves there is no DC target.
     */
    CompletionStage<DcTargetLocation> resolveDcTarget(InetSocketAddress service);

    /** Reads the adapter's clock, in ticks of the profile's {@code clockKilohertz} ({@code ibv_query_rt_values_ex}). */
    long clockTicks();

    /**
     * Publishes asynchronous events of this context's objects. One subscription at a time. At most {@value #EVENT_BACKLOG}
     * events wait for demand, then the oldest is dropped. An event is acknowledged when {@code onNext} has returned; destroying
     * its object waits for that.
     */
    Flow.Publisher<AsyncEvent> asyncEvents();

    /**
     * Returns the next asynchronous event as a stage ({@code ibv_get_async_event}), acknowledged when the stage's dependent
     * actions have run; EBUSY while a subscription polls.
     */
    CompletionStage<AsyncEvent> nextAsyncEvent();

    int EVENT_BACKLOG = 1024;
}
