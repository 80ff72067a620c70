// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.invariant.XrcFacts;

/**
 * An XRC request takes effect on the shared receive queue that it names, which is in the target's XRC domain, and all packets
 * of a message name the same queue: the receive is taken from it, and the completion is in its completion queue. A receive that
 * a target takes completes or is returned before the target raises LAST_WQE_REACHED (rules xrc-named, xrc-unknown,
 * xrc-one-queue, xrc-completion, receive-last).
 */
final class XrcSrqRouting implements Invariant {
    /** By target: the queue named by the message of which a packet was executed last. */
    private final Map<QpName, QpName> current = new LinkedHashMap<>();
    /** By posting: the number of the queue that its first packet named. */
    private final Map<Long, Integer> namedSrqs = TraceState.recent();

    private final TakenReceives taken = new TakenReceives();
    private final Set<QpName> failed = new LinkedHashSet<>();
    private final ResourceLedger ledger;

    XrcSrqRouting(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "xrc-srq-routing";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class,
                HcaEvent.AtomicExecuted.class,
                HcaEvent.InlineReceived.class,
                HcaEvent.Completed.class,
                HcaEvent.Failed.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.XrcSrqDestroyed.class,
                HcaEvent.Raised.class,
                HcaEvent.ReceiveReturned.class,
                HcaEvent.ReceiveTaken.class,
                HcaEvent.SharedReceivePosted.class,
                HcaEvent.StateChanged.class,
                HcaEvent.TagReturned.class,
                HcaEvent.TagUnmatched.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Sent sent -> sent(sent, traceState, report);
            case HcaEvent.MemoryWritten write ->
                effect(QpName.of(write), write.stamp().cause(), traceState, report);
            case HcaEvent.InlineReceived carried ->
                effect(QpName.of(carried), carried.stamp().cause(), traceState, report);
            case HcaEvent.MemoryRead read
            when read.remote() ->
                // An answer in progress continues, and is sent again, after the queue is destroyed.
                domain(QpName.of(read), read.stamp().cause(), traceState, report);
            case HcaEvent.AtomicExecuted atomic ->
                effect(QpName.of(atomic), atomic.stamp().cause(), traceState, report);
            case HcaEvent.ReceiveTaken got -> taken(got, traceState, report);
            case HcaEvent.ReceiveReturned back -> taken.returned(back, report);
            case HcaEvent.TagUnmatched got -> taken.moved(QpName.of(got), -1);
            case HcaEvent.TagReturned back when back.serial() == 0 -> taken.moved(QpName.of(back), 1);
            case HcaEvent.XrcSrqDestroyed destroyed -> taken.forget(QpName.of(destroyed));
            case HcaEvent.Failed failed
            when failed.reason() instanceof RequestRefused.NoSuchSharedReceives none ->
                taken.unreachable(new QpName(failed.port(), Element.sharedReceives(none.number())));
            case HcaEvent.SharedReceivePosted posted -> taken.posted(posted);
            case HcaEvent.Raised raised
            when raised.event().kind() == AsyncEvent.Kind.SRQ_ERR ->
                failed.add(new QpName(raised.port(), raised.element()));
            case HcaEvent.Completed done when done.stamp().otherCause() == 0 -> completed(done, traceState, report);
            case HcaEvent.Raised raised
            when raised.event().kind() == AsyncEvent.Kind.QP_LAST_WQE_REACHED ->
                taken.noneLeft(QpName.of(raised.port(), raised.event().element()), report);
            case HcaEvent.StateChanged changed when changed.to() == QpState.RESET -> current.remove(QpName.of(changed));
            default -> {}
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        ledger.statements(ResourceSnapshot.SharedReceives.class).forEach(queue -> {
            QpName name = new QpName(queue.adapter(), Element.sharedReceives(queue.number()));
            boolean isNamed = traceState.xrc().queue(name).isPresent() && !failed.contains(name);
            if (isNamed && queue.receives() != taken.left(name)) {
                report.broken("%s has %d receives, but %d of the posted ones were not taken"
                        .formatted(name, queue.receives(), taken.left(name)));
            }
        });
    }

    /** Checks that each packet of one request, sent or retransmitted, names the same queue. */
    private void sent(FabricEvent.Sent sent, TraceState traceState, Report report) {
        OptionalInt named = sent.packet().srqIfAny();
        if (named.isEmpty() || traceState.posting(sent.stamp().cause()).isEmpty()) {
            return;
        }
        Integer before = namedSrqs.putIfAbsent(sent.stamp().cause(), named.getAsInt());
        if (before != null && before != named.getAsInt()) {
            report.broken("%s sends psn %d for srq%d; earlier packets of the same message are for srq%d"
                    .formatted(sent.port(), sent.packet().psn(), named.getAsInt(), before));
        }
    }

    private void effect(QpName target, long cause, TraceState traceState, Report report) {
        Optional<Request> request = domain(target, cause, traceState, report);
        request.ifPresent(carriedOut -> {
            Packet packet = carriedOut.packet;
            QpName queue = carriedOut.queue;
            if (traceState.xrc().isGone(queue)) {
                report.broken(carriedOut + ", which is destroyed");
            }
            QpName before = packet.operation().starts() ? null : current.get(target);
            if (before != null && !before.equals(queue)) {
                report.broken(carriedOut + ", in the middle of a message for " + before.element());
            }
            current.put(target, queue);
        });
    }

    /** A request packet that has an effect, with the queue that it names. */
    private record Request(QpName target, Packet packet, QpName queue) {
        @Override
        public String toString() {
            return "%s: %s psn %d has an effect on %s"
                    .formatted(target, packet.operation(), packet.psn(), queue.element());
        }
    }

    /**
     * Returns the XRC request behind an effect, if there is one, and checks that the queue it names is in the target's domain.
     */
    private static Optional<Request> domain(QpName target, long cause, TraceState traceState, Report report) {
        OptionalInt domain = traceState.xrc().domain(target);
        Optional<Packet> arrived = traceState.delivery(cause).map(FabricEvent.Delivered::packet);
        OptionalInt named = arrived.map(Packet::srqIfAny).orElse(OptionalInt.empty());
        if (domain.isEmpty() || named.isEmpty()) {
            return Optional.empty();
        }
        QpName queue = new QpName(target.port(), Element.sharedReceives(named.getAsInt()));
        Request request = new Request(target, arrived.orElseThrow(), queue);
        Optional<Integer> its = traceState.xrc().queue(queue).map(HcaEvent.XrcSrqCreated::xrcDomain);
        if (its.isEmpty()) {
            report.broken(request + ", but there is no such queue");
        } else if (its.get() != domain.getAsInt()) {
            report.broken(request + ", which is of XRC domain " + its.get() + "; the target's is " + domain.getAsInt());
        }
        return Optional.of(request);
    }

    private void taken(HcaEvent.ReceiveTaken got, TraceState traceState, Report report) {
        taken.taken(got);
        OptionalInt domain = traceState.xrc().domain(QpName.of(got.port(), got.qp()));
        traceState
                .xrc()
                .queue(QpName.of(got))
                .map(HcaEvent.XrcSrqCreated::xrcDomain)
                .ifPresent(its -> {
                    if (domain.isEmpty() || domain.getAsInt() != its) {
                        report.broken("%s/qp%d takes a receive of %s, which is of XRC domain %d"
                                .formatted(got.port(), got.qp(), got.element(), its));
                    }
                });
    }

    private void completed(HcaEvent.Completed done, TraceState traceState, Report report) {
        QpName target = QpName.of(done.port(), done.completion().qpNumber());
        if (!traceState.xrc().isTarget(target)) {
            return;
        }
        OptionalInt named = done.completion().isSuccess()
                ? XrcFacts.named(traceState.delivery(done.stamp().cause()))
                : OptionalInt.empty();
        OptionalInt from = taken.completed(target, done, named, traceState);
        if (from.isEmpty()) {
            report.broken("%s completes receive %d in %s, but %s"
                    .formatted(
                            target,
                            done.completion().workId(),
                            done.element(),
                            named.isPresent()
                                    ? "its message is for srq" + named.getAsInt()
                                            + ": this receive was not taken from that queue, or that queue completes elsewhere"
                                    : "has taken no receive from a queue that completes there"));
        }
    }
}
