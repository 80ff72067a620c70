// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/** Hand-made events of one queue pair, a/qp17, as a world passes them to one invariant. */
public final class HandMadeTrace {
    public static final String PORT = "a";
    public static final int QP = 17;
    public static final Element WHO = Element.queuePair(QP);
    private static final int CQ = 1;
    private static final PortAddress HERE = PortAddress.unspecified(true);

    private final Invariant invariant;
    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private final List<String> broken = new ArrayList<>();
    private long lastId;

    public HandMadeTrace(Invariant invariant, QpType transport) {
        this.invariant = invariant;
        tell(new HcaEvent.QueuePairCreated(next(), PORT, WHO, transport, 1, CQ, CQ, OptionalInt.empty()));
    }

    /**
     * Returns a packet without payload.
     *
     * @param behind headers after the BTH
     */
    public static Packet packet(Opcode opcode, int destination, int psn, ExtendedHeader... behind) {
        return new Packet(
                new Route(HERE, HERE, 0, 64, 0, 0xC000),
                Bth.of(opcode, false, true, 0, 0xFFFF, destination, false, psn),
                List.of(behind),
                Octets.NONE);
    }

    public Stamp next() {
        return next(0, 0);
    }

    public Stamp next(long cause, long otherCause) {
        return new Stamp(++lastId, lastId * 1000, cause, otherCause);
    }

    /** Adds so many events of others that the state of earlier single events is forgotten. */
    public void outliveMemory() {
        for (int i = 0; i < ByEvent.REMEMBERED / 256; i++) {
            lastId += 256;
            posted(0);
        }
    }

    public void tell(TraceEvent event) {
        traceState.note(event);
        invariant.on(event, traceState, broken::add);
    }

    public HandMadeTrace state(QpState from, QpState to) {
        tell(new HcaEvent.StateChanged(next(), PORT, WHO, from, to, StateReason.MODIFIED));
        return this;
    }

    /** Registers a region of 64 bytes from address 0, with every access right. */
    public void register(int key) {
        tell(new HcaEvent.Registered(
                next(),
                PORT,
                Element.key(key),
                HcaEvent.KeyKind.MEMORY_REGION,
                List.of(),
                "app",
                1,
                0,
                64,
                AccessFlags.LOCAL_AND_REMOTE));
    }

    /** Posts a request and returns the id of its event, which its completion names. */
    public long posted(long workId) {
        return posted(Send.of(workId), true);
    }

    public long posted(WorkRequest work, boolean signaled) {
        HcaEvent.WorkPosted posted = new HcaEvent.WorkPosted(next(), PORT, WHO, work, signaled);
        tell(posted);
        return posted.stamp().id();
    }

    public HandMadeTrace ended(long workId, long posting, Status status) {
        tell(new HcaEvent.Completed(
                next(0, posting), PORT, Element.completionQueue(CQ), completion(workId, CompletionKind.SEND, status)));
        return this;
    }

    public HandMadeTrace received(long workId, Status status) {
        tell(new HcaEvent.Completed(
                next(), PORT, Element.completionQueue(CQ), completion(workId, CompletionKind.RECV, status)));
        return this;
    }

    private static WorkCompletion completion(long workId, CompletionKind kind, Status status) {
        return WorkCompletion.of(workId, status, kind, QP, 0, OptionalInt.empty());
    }

    public HandMadeTrace quiet() {
        invariant.whenIdle(traceState, broken::add);
        return this;
    }

    public HandMadeTrace lull() {
        invariant.betweenEvents(traceState, broken::add);
        return this;
    }

    public HandMadeTrace end() {
        invariant.atEnd(broken::add);
        return this;
    }

    /** Returns the reported violations, the oldest first. */
    public List<String> stories() {
        return List.copyOf(broken);
    }

    /** Adds the event to the trace state. */
    public static void note(TraceState traceState, TraceEvent event) {
        traceState.note(event);
    }
}
