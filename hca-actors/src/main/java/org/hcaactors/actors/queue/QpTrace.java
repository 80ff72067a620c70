// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpObserver;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/**
 * Recorder of one queue pair's events in the adapter's trace.
 *
 * @param sendCq the completion queue of its requests
 * @param recvCq the completion queue of its receives
 */
public record QpTrace(AdapterTrace trace, Element element, Element sendCq, Element recvCq) implements QpObserver {
    /** Returns an observer that does nothing if the trace is never enabled. */
    static QpObserver of(Element element, AdapterTrace trace, QueuePairLinks links) {
        return trace.sink() == TraceSink.NONE
                ? QpObserver.NONE
                : new QpTrace(
                        trace,
                        element,
                        Element.completionQueue(links.sendCqNumber()),
                        Element.completionQueue(links.recvCqNumber()));
    }

    @Override
    public QpObserver ofThisTurn() {
        return trace.enabled() ? this : QpObserver.NONE;
    }

    /** Records the creation, and the pages of its queues if a page allocation was requested. */
    static void created(QpPlan plan, AdapterTrace trace, QueuePairLinks links, AllocatedPages buffer) {
        if (!trace.enabled()) {
            return;
        }
        Element made = plan.element();
        trace.record(
                0,
                at -> new HcaEvent.QueuePairCreated(
                        at,
                        trace.port(),
                        made,
                        plan.type(),
                        plan.domain(),
                        links.sendCqNumber(),
                        links.recvCqNumber(),
                        links.shared()));
        links.receives()
                .xrcDomain()
                .ifPresent(
                        domain -> trace.record(0, at -> new HcaEvent.XrcTargetCreated(at, trace.port(), made, domain)));
        if (buffer.isTypeRequested()) {
            trace.record(0, at -> new HcaEvent.PagesAllocated(at, trace.port(), made, buffer.layout()));
        }
    }

    /** Returns the event's id; 0 if nothing is traced. */
    static long granted(QpPlan plan, Lease lease, AdapterTrace trace) {
        return trace.enabled()
                ? trace.record(0, at -> new HcaEvent.LeaseGranted(at, trace.port(), plan.element(), lease.key()))
                : 0;
    }

    public static void modified(QpPlan plan, QpModify change, AdapterTrace trace) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Modified(at, trace.port(), plan.element(), change));
        }
    }

    static void streamReset(QpPlan plan, int stream, AdapterTrace trace) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.StreamReset(at, trace.port(), plan.element(), stream));
        }
    }

    /** Records the destination of a request, if it has one and its posting is traced. */
    static void addressed(long posting, @Nullable Destination to, QpPlan plan, AdapterTrace trace) {
        if (posting != 0) {
            addressed(posting, to, plan.element(), trace);
        }
    }

    private static void addressed(long posting, @Nullable Destination to, Element element, AdapterTrace trace) {
        if (posting != 0 && to instanceof Destination.Dynamic dynamic) {
            trace.record(
                    posting,
                    at -> new HcaEvent.DcDestination(
                            at,
                            trace.port(),
                            element,
                            dynamic.path().route().destination(),
                            dynamic.target(),
                            dynamic.stream()));
        }
    }

    @Override
    public long failed(long cause, Reason reason) {
        return trace.record(cause, at -> new HcaEvent.Failed(at, trace.port(), element, reason));
    }

    @Override
    public long gaveUp(long cause, int psn, Reason reason) {
        return trace.record(cause, at -> new HcaEvent.GaveUp(at, trace.port(), element, psn, reason));
    }

    @Override
    public long stateChanged(long cause, QpState from, QpState to, Reason reason) {
        return trace.record(cause, at -> new HcaEvent.StateChanged(at, trace.port(), element, from, to, reason));
    }

    @Override
    public long retransmitting(long cause, int psn, Reason reason) {
        return trace.record(cause, at -> new HcaEvent.Retransmitting(at, trace.port(), element, psn, reason));
    }

    @Override
    public long backingOff(long cause, int psn, long nanos) {
        return trace.record(cause, at -> new HcaEvent.BackedOff(at, trace.port(), element, psn, nanos));
    }

    @Override
    public long session(long cause, SessionStep step, PortAddress at, int peer, int session) {
        return trace.record(
                cause, stamp -> new HcaEvent.SessionChanged(stamp, trace.port(), element, step, at, peer, session));
    }

    @Override
    public void discarded(long cause, Packet packet, Reason reason) {
        trace.record(cause, at -> new HcaEvent.Discarded(at, trace.port(), element, packet, reason));
    }

    @Override
    public void memoryRead(long cause, int key, long address, int lengthBytes, boolean remote) {
        trace.record(
                cause, at -> new HcaEvent.MemoryRead(at, trace.port(), element, key, address, lengthBytes, remote));
    }

    @Override
    public void memoryWritten(long cause, int key, long address, Octets bytes, int from, int count, boolean remote) {
        Octets part = bytes.slice(from, count);
        trace.record(cause, at -> new HcaEvent.MemoryWritten(at, trace.port(), element, key, address, part, remote));
    }

    @Override
    public long carried(long cause, long workId, Octets bytes) {
        return trace.record(cause, at -> new HcaEvent.InlineReceived(at, trace.port(), element, workId, bytes));
    }

    @Override
    public void atomicExecuted(long cause, int key, long address, AtomicValue before, AtomicValue after) {
        trace.record(cause, at -> new HcaEvent.AtomicExecuted(at, trace.port(), element, key, address, before, after));
    }

    @Override
    public void leaseReleased(long cause, Lease lease) {
        trace.record(cause, at -> new HcaEvent.LeaseReleased(at, trace.port(), element, lease.key()));
    }

    @Override
    public long fetching(long cause, long workId, RemoteAddress from, long lengthBytes) {
        return trace.record(
                cause,
                at -> new HcaEvent.FetchBegun(
                        at, trace.port(), element, workId, from.rkey(), from.address(), lengthBytes));
    }

    @Override
    public long adapterRequest(long cause, WorkRequest work, @Nullable Destination to) {
        long posting = trace.record(cause, at -> new HcaEvent.WorkPosted(at, trace.port(), element, work, false));
        addressed(posting, to, element, trace);
        return posting;
    }

    @Override
    public long fetched(long cause, long workId) {
        return trace.record(cause, at -> new HcaEvent.Fetched(at, trace.port(), element, workId));
    }

    @Override
    public long notFetched(long cause, long workId, Reason reason) {
        return trace.record(cause, at -> new HcaEvent.FetchFailed(at, trace.port(), element, workId, reason));
    }

    @Override
    public void completedSend(long cause, WorkCompletion completion, PostedRequest posted) {
        trace.record(cause, posted.traceId(), at -> new HcaEvent.Completed(at, trace.port(), sendCq, completion));
    }

    @Override
    public void completedReceive(long cause, WorkCompletion completion) {
        trace.record(cause, at -> new HcaEvent.Completed(at, trace.port(), recvCq, completion));
    }

    @Override
    public void completedNamed(long cause, int queue, WorkCompletion completion) {
        Element at = Element.completionQueue(queue);
        trace.record(cause, stamp -> new HcaEvent.Completed(stamp, trace.port(), at, completion));
    }

    @Override
    public void requestDropped(PostedRequest posted) {
        trace.record(posted.traceId(), at -> new HcaEvent.RequestDropped(at, trace.port(), element, posted.id()));
    }
}
