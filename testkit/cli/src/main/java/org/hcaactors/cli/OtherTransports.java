// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.hcaactors.lab.fault.PacketMatch.packet;

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
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;

/** Part two of the tour: unreliable connections, datagrams and a multicast group, and a shared receive queue. */
final class OtherTransports {
    private static final Gid GROUP = Gid.ofIpv4(224, 0, 0, 42);
    private static final int BYTES = 2500;
    private static final Shape SHAPE =
            new Shape(RcConnection.DEFAULT, QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0), 63, 8192);

    private final World world;
    private final Adapter alice;
    private final Adapter bob;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 200;

    OtherTransports(World world, Adapter alice, Adapter bob) {
        this.world = world;
        this.alice = alice;
        this.bob = bob;
    }

    List<RcTour.Step> run() {
        unreliable();
        shared();
        group();
        return steps;
    }

    private Ends<?> ends(TransportOption over) {
        RdmaNetwork network = world.network();
        return over.ends(network, over.half(network, alice, SHAPE), over.half(network, bob, SHAPE), SHAPE);
    }

    private void unreliable() {
        Ends<?> pair = ends(TransportOption.plain(Transport.UC));
        pair.b().postReceive(Receive.of(1, pair.b().slice(0, BYTES)));
        step("UC SEND of three packets", pair, pair.b().recvCq());
        world.faults().on(packet().opcode(Opcode.UC_SEND_MIDDLE)).first().drop();
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
        RdmaNetwork network = world.network();
        TransportOption over = TransportOption.plain(Transport.UD);
        Ends<UdEnd> pair = UdEnd.introduce(
                network,
                over.half(network, alice, SHAPE).withQueues(network, SHAPE.cqEntries()),
                over.half(network, bob, SHAPE).withQueues(network, SHAPE.cqEntries()),
                UdEnd.QKEY);
        world.await(pair.b().qp().attachMulticast(GROUP));
        world.settle();
        pair.b().postReceive(Receive.of(4, pair.b().slice(0, UdQueuePair.GRH_BYTES + 64)));
        world.settle();
        UdAddress to = UdEnd.address(network, pair.a().side(), GROUP, UdAddress.MULTICAST, UdEnd.QKEY);
        int from = world.trace().events().size();
        pair.a().qp().post(to, Send.of(++workId, pair.a().slice(0, 64)));
        end("datagram to a multicast group", pair.b().recvCq(), from);
    }

    /** Sends one message; the completion queue shows the result. */
    private void step(String what, Ends<?> pair, CompletionQueue completions) {
        world.settle();
        int from = world.trace().events().size();
        pair.a().post(Send.of(++workId, pair.a().slice(0, BYTES)).withSignaled());
        end(what, completions, from);
    }

    private void end(String what, CompletionQueue completions, int from) {
        world.runFor(Duration.ofNanos(20_000));
        List<WorkCompletion> polled = world.await(completions.poll(1));
        Status got = polled.isEmpty() ? Status.GENERAL_ERR : polled.getFirst().status();
        steps.add(new RcTour.Step(what, Status.SUCCESS, got, from));
    }
}
