// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.network.RdmaNetwork;

/** Part two of the tour: unreliable connections, datagrams and a multicast group, and a shared receive queue. */
final class OtherTransports {
    private static final Gid GROUP = Gid.ofIpv4(224, 0, 0, 42);
    private static final int BYTES = 2500;
    private static final Shape SHAPE =
            new Shape(RcConnection.DEFAULT, QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0), 63, 8192);

    private final TourGround ground;
    private final Adapter alice;
    private final Adapter bob;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 200;

    OtherTransports(TourGround ground, Adapter alice, Adapter bob) {
        this.ground = ground;
        this.alice = alice;
        this.bob = bob;
    }

    List<RcTour.Step> run() {
        unreliable();
        shared();
        // A group has members in one network.
        ground.world().ifPresent(world -> group());
        return steps;
    }

    private Ends<?> ends(TransportOption over) {
        RdmaNetwork network = ground.network();
        Shape shape = SHAPE.with(ground.terms(SHAPE.attributes()));
        return over.ends(network, over.half(network, alice, shape), over.half(network, bob, shape), shape);
    }

    private void unreliable() {
        Ends<?> pair = ends(TransportOption.plain(Transport.UC));
        pair.b().postReceive(Receive.of(1, pair.b().slice(0, BYTES)));
        step("UC SEND of three packets", pair, pair.b().recvCq());
        ground.loseNext(Opcode.UC_SEND_MIDDLE);
        pair.b().postReceive(Receive.of(2, pair.b().slice(0, BYTES)));
        step(
                "UC SEND that loses a packet: the requester does not notice",
                pair,
                pair.a().sendCq());
    }

    private void shared() {
        Ends<?> pair = ends(TransportOption.SRQ);
        CompletionQueue cq = pair.b().recvCq();
        pair.b().postReceive(Receive.of(3, pair.b().slice(0, BYTES)));
        step("SEND into a shared receive queue", pair, cq);
    }

    private void group() {
        RdmaNetwork network = ground.network();
        TransportOption over = TransportOption.plain(Transport.UD);
        Ends<UdEnd> pair = UdEnd.introduce(
                network,
                over.half(network, alice, SHAPE).withQueues(network, SHAPE.cqEntries()),
                over.half(network, bob, SHAPE).withQueues(network, SHAPE.cqEntries()),
                UdEnd.QKEY);
        ground.await(pair.b().qp().attachMulticast(GROUP));
        ground.settle();
        pair.b().postReceive(Receive.of(4, pair.b().slice(0, UdQueuePair.GRH_BYTES + 64)));
        ground.settle();
        UdAddress to = UdEnd.address(network, pair.a().side(), GROUP, UdAddress.MULTICAST, UdEnd.QKEY);
        int from = ground.events().size();
        pair.a().qp().post(to, Send.of(++workId, pair.a().slice(0, 64)));
        end("datagram to a multicast group", pair.b().recvCq(), from);
    }

    /** Sends one message; the completion queue shows the result. */
    private void step(String what, Ends<?> pair, CompletionQueue completions) {
        int from = ground.now();
        pair.a().post(Send.of(++workId, pair.a().slice(0, BYTES)).withSignaled());
        end(what, completions, from);
    }

    private void end(String what, CompletionQueue completions, int from) {
        List<WorkCompletion> polled = ground.poll(completions, 1, Duration.ofNanos(20_000));
        Status got = polled.isEmpty() ? Status.GENERAL_ERR : polled.getFirst().status();
        steps.add(new RcTour.Step(what, Status.SUCCESS, got, from));
    }
}
