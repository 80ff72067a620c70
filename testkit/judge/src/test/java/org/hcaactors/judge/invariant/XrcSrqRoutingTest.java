// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.TestResourceAudit;
import org.hcaactors.lab.invariant.TraceState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses a target, b/qp17 of XRC domain 1, queues 3 and 4 of that domain, and 5 of another. */
class XrcSrqRoutingTest {
    private static final String PORT = "b";
    private static final int TARGET = 17;
    private static final PortAddress HERE = PortAddress.unspecified(true);

    private final TestResourceAudit audit = new TestResourceAudit();
    private final XrcSrqRouting invariant = new XrcSrqRouting(audit.ledger);
    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private final List<String> broken = new ArrayList<>();
    private long lastId;

    @BeforeEach
    void make() {
        tell(new HcaEvent.QueuePairCreated(
                next(0), PORT, Element.queuePair(TARGET), QpType.XRC_TGT, 0, 0, 0, OptionalInt.empty()));
        tell(new HcaEvent.XrcTargetCreated(next(0), PORT, Element.queuePair(TARGET), 1));
        named(3, 1, 30);
        named(4, 1, 40);
        named(5, 2, 50);
    }

    private void named(int queue, int xrcDomain, int cq) {
        tell(new HcaEvent.XrcSrqCreated(next(0), PORT, Element.sharedReceives(queue), xrcDomain, 10 + queue, cq));
    }

    private Stamp next(long cause) {
        return new Stamp(++lastId, lastId, cause, 0);
    }

    private void tell(TraceEvent event) {
        HandMadeTrace.note(traceState, event);
        invariant.on(event, traceState, broken::add);
    }

    private long arrives(Opcode opcode, int queue) {
        Packet packet = new Packet(
                new Route(HERE, HERE, 0, 64, 0, 0xC000),
                Bth.of(opcode, false, true, 0, 0xFFFF, TARGET, false, 7),
                List.of(new ExtendedHeader.XrcEth(0, queue)),
                Octets.NONE);
        Stamp at = next(0);
        tell(new FabricEvent.Delivered(at, PORT, packet));
        return at.id();
    }

    private void takes(int queue, long workId) {
        tell(new HcaEvent.ReceiveTaken(next(0), PORT, Element.sharedReceives(queue), TARGET, workId));
    }

    private void writes(long cause) {
        tell(new HcaEvent.MemoryWritten(
                next(cause), PORT, Element.queuePair(TARGET), 1, 0, Octets.wrap(new byte[1], 0, 1), false));
    }

    private void completes(long cause, int cq, long workId) {
        WorkCompletion completion =
                WorkCompletion.of(workId, Status.SUCCESS, CompletionKind.RECV, TARGET, 0, OptionalInt.empty());
        tell(new HcaEvent.Completed(next(cause), PORT, Element.completionQueue(cq), completion));
    }

    @Test
    void aCorrectSequenceIsRight() {
        takes(3, 1);
        writes(arrives(Opcode.XRC_SEND_FIRST, 3));
        long last = arrives(Opcode.XRC_SEND_LAST, 3);
        writes(last);
        completes(last, 30, 1);
        takes(4, 1);
        tell(new HcaEvent.ReceiveReturned(next(0), PORT, Element.sharedReceives(4), TARGET, 1));
        takes(3, 2);
        tell(new HcaEvent.XrcSrqDestroyed(next(0), PORT, Element.sharedReceives(3)));
        tell(lastReceive());
        assertThat(broken).isEmpty();
    }

    private TraceEvent lastReceive() {
        return new HcaEvent.Raised(
                next(0),
                PORT,
                new AsyncEvent(AsyncEvent.Kind.QP_LAST_WQE_REACHED, TARGET),
                EventDetail.Plainly.TAKES_NO_MORE_RECEIVES);
    }

    @Test
    void aReceiveOfAnotherQueueThanTheNamedOne() {
        takes(4, 1);
        completes(arrives(Opcode.XRC_SEND_ONLY, 3), 40, 1);
        assertThat(broken).singleElement().asString().contains("its message is for srq3");
    }

    @Test
    void aCompletionInAnotherQueueThanTheSrqs() {
        takes(3, 1);
        completes(arrives(Opcode.XRC_SEND_ONLY, 3), 40, 1);
        assertThat(broken).singleElement().asString().contains("completes receive 1 in cq40");
    }

    @Test
    void aQueueOfAnotherDomain() {
        writes(arrives(Opcode.XRC_SEND_ONLY, 5));
        assertThat(broken).singleElement().asString().contains("is of XRC domain 2; the target's is 1");
    }

    @Test
    void anUnknownOrDestroyedQueue() {
        writes(arrives(Opcode.XRC_SEND_ONLY, 9));
        tell(new HcaEvent.XrcSrqDestroyed(next(0), PORT, Element.sharedReceives(3)));
        writes(arrives(Opcode.XRC_SEND_ONLY, 3));
        assertThat(broken).hasSize(2);
        assertThat(broken.getFirst()).contains("there is no such queue");
        assertThat(broken.getLast()).contains("which is destroyed");
    }

    @Test
    void aMessageThatChangesItsSrq() {
        writes(arrives(Opcode.XRC_SEND_FIRST, 3));
        writes(arrives(Opcode.XRC_SEND_LAST, 4));
        assertThat(broken).singleElement().asString().contains("in the middle of a message for srq3");
    }

    @Test
    void aTakenReceiveThatNeverCompletes() {
        takes(3, 1);
        tell(lastReceive());
        assertThat(broken).singleElement().asString().contains("receive 1 of srq3 has not completed");
    }

    @Test
    void aReceiveReturnedToAnotherQueue() {
        takes(3, 1);
        tell(new HcaEvent.ReceiveReturned(next(0), PORT, Element.sharedReceives(4), TARGET, 1));
        assertThat(broken).singleElement().asString().contains("has not taken it from that queue");
    }

    /** A queue with tag matching also has its own completion queue. */
    @Test
    void onlyQueuesThatPeersMayNameAreCounted() {
        audit.open(new ResourceSnapshot.SharedReceives(PORT, 9, 1, 2, 2, OptionalInt.of(50), false));
        invariant.whenIdle(traceState, broken::add);
        assertThat(broken).isEmpty();
        audit.open(new ResourceSnapshot.SharedReceives(PORT, 5, 1, 2, 2, OptionalInt.of(50), false));
        invariant.whenIdle(traceState, broken::add);
        assertThat(broken).singleElement().asString().contains("b/srq5 has 2 receives");
    }
}
