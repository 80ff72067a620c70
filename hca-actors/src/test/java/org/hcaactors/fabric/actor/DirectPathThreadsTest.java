// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.actors.stage.Mailbox;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.link.Tap;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A sender, the fabric's actor, and a thread that changes the fabric: packets keep their order, and a tap sees every packet
 * sent after it was added.
 */
@Tag("judge")
public class DirectPathThreadsTest {
    private static final PortAddress A = PortAddress.ofIpv4(1);
    private static final PortAddress B = PortAddress.ofIpv4(2);
    private static final Route WAY = new Route(A, B, 0, 64, 0, 0xC000);

    private static final class Inbox implements Receiver {
        final Queue<Integer> psns = new ConcurrentLinkedQueue<>();

        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            for (Packet packet : batch) {
                psns.add(packet.psn());
            }
        }

        @Override
        public void corrupted() {}

        @Override
        public void credit(int packets) {}
    }

    private final Epoch epoch = new Epoch();
    private final Mailbox<FabricActor.Command> mailbox = new Mailbox<>();
    private final FabricReference fabric = new FabricReference(mailbox, epoch);
    private final Switchboard board = new Switchboard(FabricLimits.DEFAULT, TraceSink.NONE, thrown -> {}, epoch);
    private final Inbox there = new Inbox();
    private final Endpoint from = new Endpoint(A, 17, new Inbox());

    private final List<Integer> sent = new ArrayList<>();
    private final List<Integer> mustBeSeen = new ArrayList<>();
    private final List<Integer> seen = new ArrayList<>();
    private final Tap tap = this::see;
    private volatile boolean tapped;

    public DirectPathThreadsTest() {
        board.port("a", A, LinkProperties.IDEAL);
        board.port("b", B, LinkProperties.IDEAL);
        board.attach(from);
        board.attach(new Endpoint(B, 18, there));
    }

    private void see(FabricEvent event) {
        if (event instanceof FabricEvent.Sent there) {
            seen.add(there.packet().psn());
        }
    }

    @Operation(nonParallelGroup = "sender")
    public void send() {
        boolean before = tapped;
        int psn = sent.size();
        sent.add(psn);
        if (before) {
            mustBeSeen.add(psn);
        }
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, 0, 0xFFFF, 18, false, psn);
        fabric.send(from, new Packet[] {new Packet(WAY, bth, List.of(), Octets.NONE)});
    }

    @Operation
    public void addTap() {
        fabric.tell(new FabricActor.AddTap(tap));
        tapped = true;
    }

    @Operation
    public void addStranger() {
        fabric.tell(new FabricActor.Attach(new Endpoint(B, 77, new Inbox())));
    }

    /** Like the actor with one message. */
    @Operation(nonParallelGroup = "fabric")
    public void turn() {
        switch (mailbox.letters().poll()) {
            case FabricActor.Transmit batch -> board.transmit(batch.from(), batch.batch(), batch.causes(), 0);
            case FabricActor.Announced(FabricActor.Attach(Endpoint stranger)) -> {
                epoch.arrived();
                board.attach(stranger);
            }
            case FabricActor.Announced(FabricActor.AddTap(Tap requested)) -> {
                epoch.arrived();
                board.tap(requested);
            }
            case null -> {}
            default -> throw new IllegalStateException("nobody tells it that");
        }
    }

    @Validate
    public void everythingArrivesInOrderAndIsSeen() {
        while (!mailbox.letters().isEmpty()) {
            turn();
        }
        if (!List.copyOf(there.psns).equals(sent)) {
            throw new AssertionError(sent + " were sent, and " + there.psns + " arrived");
        }
        if (!seen.containsAll(mustBeSeen)) {
            throw new AssertionError(mustBeSeen + " were sent under a tap, which saw " + seen);
        }
        if (!seen.isEmpty() && !seen.equals(sent.subList(seen.getFirst(), sent.size()))) {
            throw new AssertionError("of " + sent + " the tap saw " + seen);
        }
    }

    @Test
    void noTrainOvertakesTrainsInTheFabric() {
        Interleavings.of(DirectPathThreadsTest.class)
                .before("send", "turn", "addStranger")
                .thread("send", "send", "send")
                .thread("turn", "turn", "turn")
                .inAnyOrder();
    }

    @Test
    void aTapSeesEveryPacketSentAfterItWasAdded() {
        Interleavings.of(DirectPathThreadsTest.class)
                .before("send", "turn", "addStranger", "turn")
                .thread("send", "send", "send")
                .thread("turn", "turn")
                .thread("addTap")
                .inAnyOrder();
    }

    @Test
    void packetOrderHoldsOnConcurrentThreads() {
        Interleavings.of(DirectPathThreadsTest.class)
                .before("send", "turn")
                .thread("send", "send", "send", "send")
                .thread("turn", "turn", "turn", "turn")
                .thread("addStranger", "addTap")
                .atOnce();
    }
}
