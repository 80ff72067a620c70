package org.hcaactors.cli;

import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.queue.AddressVector;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.UdAddress;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.world.World;

/** The tour's second part: unreliable connected, datagrams and a group of them, shared receives, a wake-up. */
final class OtherTransports {
    private static final int QKEY = 0x1111_1111;
    private static final Gid GROUP = Gid.ofIpv4(224, 0, 0, 42);
    private static final int BYTES = 2500;

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

    private Party.Couple couple(Transport transport) {
        Party.Terms terms = new Party.Terms(transport, PathMtu.BYTES_1024, new QpCapacity(16, 16, 1, 1, 0), 63, 8192);
        return Party.couple(
                world.network(),
                Party.Side.of(world.network(), alice, terms),
                Party.Side.of(world.network(), bob, terms),
                terms);
    }

    private void unreliable() {
        Party.Couple pair = couple(Transport.UC);
        pair.right().receive().accept(Receive.of(1, pair.right().slice(0, BYTES)));
        step("UC SEND of three packets", pair, pair.right().recvCq());
        world.faults().on(packet().opcode(Opcode.UC_SEND_MIDDLE)).first().drop();
        pair.right().receive().accept(Receive.of(2, pair.right().slice(0, BYTES)));
        step("UC SEND that loses a packet, unnoticed", pair, pair.left().sendCq());
    }

    private void shared() {
        Party.Couple pair = couple(Transport.SRQ);
        CompletionQueue cq = pair.right().recvCq();
        pair.right().receive().accept(Receive.of(3, pair.right().slice(0, BYTES)));
        step("SEND into a shared receive queue", pair, cq);
    }

    private void group() {
        Party.Couple pair = couple(Transport.UD);
        UdQueuePair member = (UdQueuePair) pair.right().qp();
        UdQueuePair sender = (UdQueuePair) pair.left().qp();
        world.await(member.attachMulticast(GROUP));
        world.settle();
        pair.right().receive().accept(Receive.of(4, pair.right().slice(0, 40 + 64)));
        world.settle();
        UdAddress to = UdAddress.of(
                world.await(pair.left().region().protectionDomain().createAddressHandle(AddressVector.to(GROUP))),
                UdAddress.MULTICAST,
                QKEY);
        int from = world.trace().events().size();
        sender.post(to, Send.of(++workId, pair.left().slice(0, 64)));
        end("datagram to a multicast group", pair.right().recvCq(), from);
    }

    /** Sends one message; the completion queue says what became of it. */
    private void step(String what, Party.Couple pair, CompletionQueue told) {
        world.settle();
        int from = world.trace().events().size();
        pair.left().post().accept(Send.of(++workId, pair.left().slice(0, BYTES)).signaled());
        end(what, told, from);
    }

    private void end(String what, CompletionQueue told, int from) {
        world.runFor(Duration.ofNanos(20_000));
        List<WorkCompletion> came = world.await(told.poll(1));
        Status got = came.isEmpty() ? Status.GENERAL_ERR : came.getFirst().status();
        steps.add(new RcTour.Step(what, Status.SUCCESS, got, from));
    }
}
