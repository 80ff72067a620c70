// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Bound on the packets that have arrived for a queue pair or a DC target and are not handled yet (rule qp-receive-buffer). Batches
 * arrive on any thread, several at once, and are removed on the queue pair's own.
 *
 * @param countsDamaged damaged packets are counted here: as messages to the owner they would have no bound
 * @param waiting number of packets
 */
public record ReceiveBuffer(
        Owner owner,
        Element element,
        AdapterTrace trace,
        PortCounters counters,
        boolean countsDamaged,
        AtomicInteger waiting)
        implements Receiver {
    /** Reference to what handles the packets. */
    public interface Owner {
        /** Delivers packets that stay counted in a receive buffer until {@link ReceiveBuffer#leaves}. */
        void arrive(Packet[] batch, long[] traceIds, ReceiveBuffer from);

        void corrupted();

        void credit(int packets);
    }

    /** Same bound as for packets that wait for a key: a message of 16 MiB at an MTU of 4096 bytes. */
    static final int MAX_PACKETS = PsnWindow.MAX_PACKETS;

    /**
     * Returns the endpoint of a queue pair. A peer that waits for acknowledgements has a window, which bounds its packets in
     * flight; a queue pair with one such peer needs no receive buffer, unless the peer may be outside and have no window.
     *
     * @param shard number of the shard that the queue pair lives on
     */
    static Endpoint endpoint(
            QpPlan plan, TransportClass transport, QueuePairReference owner, int shard, Services services) {
        Element element = plan.element();
        boolean boundedByPeer = transport.isAnswered() && transport.hasOnePeer() && !services.hasCable();
        Receiver receiver = boundedByPeer ? owner : of(owner, element, services);
        return new Endpoint(plan.port().address(), plan.number(), receiver, element, shard);
    }

    /** Returns an empty buffer. */
    public static ReceiveBuffer of(Owner owner, Element element, Services services) {
        return new ReceiveBuffer(
                owner, element, services.trace(), services.counters(), services.hasCable(), new AtomicInteger());
    }

    /** Returns the packets and frees their space in the buffer. */
    static Packet[] take(QueuePairInput.Arrived arrived) {
        ReceiveBuffer from = arrived.from();
        if (from != null) {
            from.leaves(arrived.batch().length);
        }
        return arrived.batch();
    }

    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        if (takes(batch.length)) {
            owner.arrive(batch, traceIds, this);
        } else {
            drop(batch, traceIds);
        }
    }

    /** Reserves space for the packets; false, without effect, if there is not enough. */
    boolean takes(int packets) {
        int now;
        do {
            now = waiting.get();
            if (packets > MAX_PACKETS - now) {
                return false;
            }
        } while (!waiting.compareAndSet(now, now + packets));
        return true;
    }

    /** Packets are handled. */
    public void leaves(int packets) {
        waiting.getAndAdd(-packets);
    }

    private void drop(Packet[] batch, long[] traceIds) {
        boolean traced = trace.enabled();
        for (int i = 0; i < batch.length; i++) {
            counters.count(Counter.RX_DISCARDS_PHY);
            if (traced) {
                dropped(batch[i], i < traceIds.length ? traceIds[i] : 0);
            }
        }
    }

    private void dropped(Packet packet, long cause) {
        trace.record(
                cause,
                at -> new HcaEvent.Discarded(at, trace.port(), element, packet, Ignored.Plainly.RECEIVE_BUFFER_FULL));
    }

    @Override
    public void corrupted() {
        if (countsDamaged) {
            counters.count(Counter.RX_ICRC_ENCAPSULATED);
        } else {
            owner.corrupted();
        }
    }

    @Override
    public void credit(int packets) {
        owner.credit(packets);
    }
}
