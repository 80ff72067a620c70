// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Packet;

/**
 * Queue pair 1 of an adapter on the fabric. Packets that have arrived and are not handled yet are limited, as for queue pairs of
 * datagrams (rule qp-receive-buffer).
 */
public final class CmReceiver implements Receiver {
    /** Maximum number of packets that wait. */
    static final int MAX_PACKETS = 4096;

    static final Element ELEMENT = Element.queuePair(CmDatagram.QP_NUMBER);

    private final Services services;
    private final Consumer<CmActor.Command> actor;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param actor sends a command to the actor of communication management; any thread */
    public CmReceiver(Services services, Consumer<CmActor.Command> actor) {
        this.services = services;
        this.actor = actor;
    }

    /** Returns the endpoint that receives for it. */
    public Endpoint endpoint() {
        return new Endpoint(services.port().address(), CmDatagram.QP_NUMBER, this, ELEMENT);
    }

    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        if (waiting.addAndGet(batch.length) <= MAX_PACKETS) {
            actor.accept(new CmActor.Arrived(batch, traceIds, this));
            return;
        }
        handled(batch.length);
        for (int i = 0; i < batch.length; i++) {
            services.counters().count(Counter.RX_DISCARDS_PHY);
            dropped(batch[i], i < traceIds.length ? traceIds[i] : 0, Ignored.Plainly.RECEIVE_BUFFER_FULL);
        }
    }

    /** Records that a packet is dropped; any thread. */
    void dropped(Packet packet, long cause, Ignored reason) {
        if (services.trace().enabled()) {
            services.trace()
                    .record(
                            cause,
                            at -> new HcaEvent.Discarded(at, services.trace().port(), ELEMENT, packet, reason));
        }
    }

    /** Packets wait no longer. */
    void handled(int packets) {
        waiting.addAndGet(-packets);
    }

    // rule wire-icrc-drop
    @Override
    public void corrupted() {
        services.counters().count(Counter.RX_ICRC_ENCAPSULATED);
    }

    @Override
    public void credit(int packets) {
        actor.accept(new CmActor.Credit(packets));
    }
}
