// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.network.RdmaNetwork;

/**
 * Transports that traffic can use. A new transport is an {@link End} class and a constant here; code that takes any transport
 * then supports it.
 */
public enum Transport {
    /** Reliable connected. */
    RC(TransportClass.RC, RcWork.class, true, 1L << 31, 0, RcEnd::connect),

    /** Unreliable connected. */
    UC(
            TransportClass.UC,
            UcWork.class,
            false,
            1L << 31,
            0,
            (network, a, b, attributes) -> UcEnd.connect(network, a, b, UcEnd.termsOf(attributes))),

    /** Unreliable datagrams. */
    UD(
            TransportClass.UD,
            UdWork.class,
            true,
            PathMtu.BYTES_4096.bytes(),
            UdQueuePair.GRH_BYTES,
            (network, a, b, attributes) -> UdEnd.introduce(network, a, b, UdEnd.QKEY)),

    /** Extended reliable connected: each message names its shared receive queue. */
    XRC(TransportClass.XRC, RcWork.class, false, 1L << 31, 0, XrcEnd::connect),

    /** Dynamically connected: each message names its target. */
    DC(TransportClass.DC, RcWork.class, false, 1L << 31, 0, DcEnd::introduce);

    /** Connects two halves to two ends. */
    private interface Joining {
        Ends<?> join(RdmaNetwork network, Half a, Half b, RcConnection attributes);
    }

    private final TransportClass transportClass;
    private final Class<? extends WorkRequest> work;
    private final boolean sharesReceives;
    private final long maxBytes;
    private final int headroomBytes;
    private final Joining joining;

    Transport(
            TransportClass transportClass,
            Class<? extends WorkRequest> work,
            boolean sharesReceives,
            long maxBytes,
            int headroomBytes,
            Joining joining) {
        this.transportClass = transportClass;
        this.work = work;
        this.sharesReceives = sharesReceives;
        this.maxBytes = maxBytes;
        this.headroomBytes = headroomBytes;
        this.joining = joining;
    }

    /**
     * Creates a queue pair for each half and connects them; {@code attributes} are those of the first, as far as the transport
     * has them.
     */
    public Ends<?> join(RdmaNetwork network, Half a, Half b, RcConnection attributes) {
        return joining.join(network, a, b, attributes);
    }

    /** Creates two ends on two adapters, each with its own process, memory and completion queues. */
    public Ends<?> between(RdmaNetwork network, Adapter a, Adapter b, Shape shape) {
        Half left = Half.of(network, a, shape);
        Half right = Half.of(network, b, shape);
        return join(network, left, right, shape.attributes());
    }

    /** True if requests of this class may be posted. */
    public boolean carries(Class<? extends WorkRequest> request) {
        return work.isAssignableFrom(request);
    }

    /** True if each message arrives exactly once, or its request fails. */
    public boolean isReliable() {
        return transportClass.isAnswered();
    }

    /** True if a SEND can invalidate a key of its receiver. */
    public boolean carriesInvalidates() {
        return Arrays.stream(Opcode.values())
                .anyMatch(opcode ->
                        opcode.transport() == transportClass && opcode.operation() == Operation.SEND_ONLY_INV);
    }

    /**
     * True if its queue pairs may have a shared receive queue (ibv_create_qp(3)); with XRC and DC the queue belongs to no queue
     * pair.
     */
    public boolean sharesReceives() {
        return sharesReceives;
    }

    /** Returns the maximum message length, if every adapter on the path supports the largest MTU. */
    public long maxBytes() {
        return maxBytes;
    }

    /** Returns the bytes in front of each received message, in its receive. */
    public int headroomBytes() {
        return headroomBytes;
    }

    <W extends WorkRequest> W carried(Class<W> type, WorkRequest request) {
        if (!type.isInstance(request)) {
            String allowed = Arrays.stream(type.getPermittedSubclasses())
                    .map(Class::getSimpleName)
                    .collect(Collectors.joining(", "));
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    this + " carries no " + request.getClass().getSimpleName() + "; allowed are " + allowed);
        }
        return type.cast(request);
    }
}
